// Reads pairs of schemas with documents, `[{old, new, documents: [text]}]`, and writes for each pair
// `[{old, new}]`, whether graphql-js accepts each document under the two schemas; nothing if it
// refuses a schema.
import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate, validateSchema } from 'graphql';

const pairs = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const verdicts = pairs.map((pair) => {
  const [before, now] = [buildSchema(pair.old), buildSchema(pair.new)];
  if (validateSchema(before).length + validateSchema(now).length > 0) return [];
  return pair.documents.map((text) => {
    const document = parse(text);
    return {
      old: validate(before, document).length === 0,
      new: validate(now, document).length === 0,
    };
  });
});
process.stdout.write(JSON.stringify(verdicts));
