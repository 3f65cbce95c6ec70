// Measures graphql-inspector and schema-review with the input that the example `large` writes, each in
// its own process, and compares the operations that they report:
// node measure.js FOLDER PATH_OF_SCHEMA_REVIEW
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROUNDS = 3;

// The work of graphql-inspector, with what both print: the number of changes by level, or the files
// with invalid operations.
async function inspect(command, folder) {
  const { diff, validate } = await import('@graphql-inspector/core');
  const { Source, buildSchema } = await import('graphql');
  const schema = (file) => buildSchema(readFileSync(join(folder, file), 'utf8'));
  if (command === 'diff') {
    return (await diff(schema('old.graphql'), schema('new.graphql'))).length;
  }
  const files = readdirSync(join(folder, 'clients')).map((file) => join('clients', file));
  const sources = files.map((file) => new Source(readFileSync(join(folder, file), 'utf8'), file));
  return validate(schema('new.graphql'), sources).map(({ source, errors, deprecated }) => ({
    file: source.name,
    isInvalid: errors.length > 0,
    isDeprecated: deprecated.length > 0,
  }));
}

// Runs a program several times; the median of its CPU time, and of its maximum resident memory.
function measured(folder, ...command) {
  const runs = Array.from({ length: ROUNDS }, () => {
    const run = spawnSync('/usr/bin/time', ['-q', '-f', '%U %S %M', ...command], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 30,
    });
    if (run.error) throw run.error;
    const [user, system, memory] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number);
    // schema-review exits with 1 if it finds something.
    if (run.status > 1 || !(memory > 0)) throw new Error(`${command.join(' ')}: ${run.stderr}`);
    return { cpu: user + system, memory: memory / 1024, output: JSON.parse(run.stdout) };
  });
  const median = (key) => runs.map((run) => run[key]).sort((a, b) => a - b)[ROUNDS >> 1];
  return { cpu: median('cpu'), memory: median('memory'), output: runs[0].output };
}

function report(name, { cpu, memory }, found) {
  console.log(`${name}: ${cpu.toFixed(2)} s of CPU, ${memory.toFixed(0)} MB; ${found}`);
}

const [, script, first, second] = process.argv;
if (first === '--inspect') {
  const found = await inspect(second, process.cwd());
  process.stdout.write(JSON.stringify(found));
} else {
  const inspector = (command) => measured(first, process.execPath, script, '--inspect', command);
  const ours = (...command) => measured(first, second, ...command, '--format', 'json');
  const json = (file) => JSON.parse(readFileSync(file, 'utf8'));
  const version = json(
    join(fileURLToPath(import.meta.url), '../node_modules/@graphql-inspector/core/package.json'),
  ).version;

  const changes = ours('diff', 'old.graphql', 'new.graphql');
  report('schema-review diff', changes, `${changes.output.length} changes`);
  const theirChanges = inspector('diff');
  report(`graphql-inspector ${version} diff`, theirChanges, `${theirChanges.output} changes`);

  const operations = ours('operations', 'clients', '--schema', 'new.graphql', '--old', 'none');
  const invalid = new Set(operations.output.broken.map(({ location }) => location.file));
  report('schema-review operations', operations, `${invalid.size} documents with invalid operations`);
  const theirs = inspector('validate');
  const theirInvalid = new Set(
    theirs.output.filter(({ isInvalid }) => isInvalid).map(({ file }) => file),
  );
  const onlyDeprecated = theirs.output.filter(({ isInvalid }) => !isInvalid).length;
  report(
    `graphql-inspector ${version} validate`,
    theirs,
    `${theirInvalid.size} documents with invalid operations, and ${onlyDeprecated} that only use ` +
      'what is deprecated',
  );
  const all = [...new Set([...invalid, ...theirInvalid])];
  const different = all.filter((file) => invalid.has(file) !== theirInvalid.has(file));
  console.log(`documents with another verdict: ${different.join(' ') || 'none'}`);
}
