// Runs the public audit of GraphQL over HTTP against the URL of the command line and prints its
// results as JSON: a list of { id, name, status, reason }.
import { auditServer } from 'graphql-http';

const results = await auditServer({ url: process.argv[2] });
const plain = results.map(({ id, name, status, reason }) => ({ id, name, status, reason }));
console.log(JSON.stringify(plain));
