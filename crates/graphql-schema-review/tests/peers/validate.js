// Reads pairs of schemas with documents, `[{old, new, documents: [text]}]`, and writes for each pair
// `[{old, new, added}]`, whether graphql-js accepts each document under the two schemas, and whether
// it has an error under the new one that it does not have under the old one; nothing if it refuses a
// schema.
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate, validateSchema } from 'graphql';

// The position and the kind of an error, whose message can name another type.
const key = ({ locations, message }) => {
  const kind = message.split(' Did you mean')[0].replace(/"[^"]*"/g, '');
  return JSON.stringify([locations, kind]);
};

const pairs = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const verdicts = pairs.map((pair) => {
  const [before, now] = [buildSchema(pair.old), buildSchema(pair.new)];
  if (validateSchema(before).length + validateSchema(now).length > 0) return [];
  return pair.documents.map((text) => {
    const document = parse(text);
    const [old, errors] = [before, now].map((schema) => validate(schema, document).map(key));
    const added = errors.some((error) => !old.includes(error));
    return { old: old.length === 0, new: errors.length === 0, added };
  });
});
process.stdout.write(JSON.stringify(verdicts));
