-- The tables of the bookshop, and some rows to query.

CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE book (
    id INTEGER PRIMARY KEY, isbn TEXT NOT NULL UNIQUE, title TEXT NOT NULL, genre TEXT NOT NULL,
    publisher TEXT NOT NULL, author_id INTEGER NOT NULL REFERENCES author
);
CREATE INDEX book_author ON book (author_id);
INSERT INTO author (name) VALUES ('Jane Austen'), ('Jonathan Swift'), ('Mary Shelley'), ('Emma');
INSERT INTO book (isbn, title, genre, publisher, author_id) VALUES
    ('9780141439518', 'Pride and Prejudice', 'NOVEL', 'Penguin Classics', 1),
    ('9780141439587', 'Emma', 'NOVEL', 'Penguin Classics', 1),
    ('9780141439495', 'Gulliver''s Travels', 'SATIRE', 'Penguin Classics', 2),
    ('9780199537150', 'Frankenstein', 'NOVEL', 'Oxford University Press', 3);
