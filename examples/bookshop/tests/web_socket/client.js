// Subscribes at the bookshop whose URL the command line has, adds books, and prints what it received as JSON.
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const url = process.argv[2];
const client = createClient({
  url: `${url.replace('http', 'ws')}/subscriptions`,
  webSocketImpl: WebSocket,
  retryAttempts: 0,
  keepAlive: 30_000,
});
const first = async (query) => {
  const results = [];
  for await (const result of client.iterate({ query })) results.push(result);
  return results;
};
const add = async (isbn, title, genre) => {
  const query = `mutation ($book: NewBook!) { addBook(book: $book) { title } }`;
  const book = { isbn, title, genre, publisher: 'Penguin Classics', author: 'Jonathan Swift' };
  const body = JSON.stringify({ query, variables: { book } });
  const headers = { 'Content-Type': 'application/json' };
  return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json();
};

const query = 'subscription ($genre: Genre) { bookAdded(genre: $genre) { title author { name } } }';
const events = client.iterate({ query, variables: { genre: 'SATIRE' } });
// Its response follows the subscription, which the server has started by then.
const queried = await first('{ books(genre: SATIRE) { title } }');
const added = [
  await add('9780140436433', 'A Novel', 'NOVEL'),
  await add('9780141018881', 'A Tale of a Tub', 'SATIRE'),
  await add('9780141018881', 'A Tale of a Tub', 'SATIRE'),
];
const { value: event } = await events.next();
const ended = await events.return();
const invalid = await first('subscription { bookRemoved { title } }');
const mutation = await first('mutation { addBook(book: {isbn: "9780141439495", title: "a", genre: NOVEL, publisher: "b", author: "c"}) { id } }');
console.log(JSON.stringify({ queried, added, event, ended: ended.done, invalid, mutation }));
await client.dispose();
