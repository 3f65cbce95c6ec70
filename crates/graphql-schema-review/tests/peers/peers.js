// Reads pairs of schemas, `[{old, new}]`, and writes the changes that graphql-inspector and graphql-js
// report for each pair: `[{inspector: [change], reference: [change]}]`, a change being `{kind,
// coordinate, level}` with the names of the crate.
import { readFileSync } from 'node:fs';
import { diff } from '@graphql-inspector/core';
import { buildSchema, findBreakingChanges, findDangerousChanges } from 'graphql';

const LEVELS = { BREAKING: 'breaking', DANGEROUS: 'dangerous', NON_BREAKING: 'safe' };

function join(type, part, argument) {
  const coordinate = part ? `${type}.${part}` : type;
  return argument ? `${coordinate}(${argument}:)` : coordinate;
}

// The coordinate of a change: its `path` has other forms for the same thing, its `meta` names the parts.
function coordinate({ type, path, meta }) {
  if (type.startsWith('SCHEMA_') || type.startsWith('DIRECTIVE_USAGE_SCHEMA_')) return 'schema';
  if (type.startsWith('DIRECTIVE_USAGE_ARGUMENT_') && 'parentTypeName' in meta) {
    const part = meta.parentFieldName ?? meta.parentEnumValueName;
    return join(meta.parentTypeName ?? 'schema', part, meta.parentArgumentName);
  }
  if (type.startsWith('DIRECTIVE_USAGE_')) {
    const [owner, part, argument] = path.split('.').filter((name) => !name.startsWith('@'));
    return join(owner, part, argument);
  }
  if (type.startsWith('DIRECTIVE_ARGUMENT_')) {
    const name =
      meta.addedDirectiveArgumentName ??
      meta.removedDirectiveArgumentName ??
      meta.directiveArgumentName;
    return join(path.split('.')[0], undefined, name);
  }
  const [owner, part, argument] = path.split('.').filter((name) => name !== '@deprecated');
  return join(owner, part, argument);
}

// The changes of graphql-js by type: our kind, and the names in its message.
const SENTENCES = {
  TYPE_REMOVED: ['TYPE_REMOVED', /^(?<type>\w+) was removed/],
  TYPE_CHANGED_KIND: ['TYPE_KIND_CHANGED', /^(?<type>\w+) changed/],
  TYPE_REMOVED_FROM_UNION: ['UNION_MEMBER_REMOVED', /union type (?<type>\w+)/],
  TYPE_ADDED_TO_UNION: ['UNION_MEMBER_ADDED', /union type (?<type>\w+)/],
  VALUE_REMOVED_FROM_ENUM: ['ENUM_VALUE_REMOVED', /^(?<part>\w+) .* enum type (?<type>\w+)/],
  VALUE_ADDED_TO_ENUM: ['ENUM_VALUE_ADDED', /^(?<part>\w+) .* enum type (?<type>\w+)/],
  REQUIRED_INPUT_FIELD_ADDED: ['INPUT_FIELD_ADDED', /field (?<part>\w+) on input type (?<type>\w+)/],
  OPTIONAL_INPUT_FIELD_ADDED: ['INPUT_FIELD_ADDED', /field (?<part>\w+) on input type (?<type>\w+)/],
  IMPLEMENTED_INTERFACE_REMOVED: ['OBJECT_TYPE_INTERFACE_REMOVED', /^(?<type>\w+) no longer/],
  IMPLEMENTED_INTERFACE_ADDED: ['OBJECT_TYPE_INTERFACE_ADDED', /implemented by (?<type>\w+)/],
  FIELD_REMOVED: ['FIELD_REMOVED', /^(?<type>\w+)\.(?<part>\w+) was removed/],
  FIELD_CHANGED_KIND: ['FIELD_TYPE_CHANGED', /^(?<type>\w+)\.(?<part>\w+) changed/],
  REQUIRED_ARG_ADDED: ['FIELD_ARGUMENT_ADDED', /arg (?<argument>\w+) on (?<type>\w+)\.(?<part>\w+)/],
  OPTIONAL_ARG_ADDED: ['FIELD_ARGUMENT_ADDED', /arg (?<argument>\w+) on (?<type>\w+)\.(?<part>\w+)/],
  ARG_REMOVED: ['FIELD_ARGUMENT_REMOVED', /^(?<type>\w+)\.(?<part>\w+) arg (?<argument>\w+)/],
  ARG_CHANGED_KIND: ['FIELD_ARGUMENT_TYPE_CHANGED', /(?<type>\w+)\.(?<part>\w+) arg (?<argument>\w+)/],
  ARG_DEFAULT_VALUE_CHANGE: [
    'FIELD_ARGUMENT_DEFAULT_CHANGED',
    /(?<type>\w+)\.(?<part>\w+) arg (?<argument>\w+)/,
  ],
  DIRECTIVE_REMOVED: ['DIRECTIVE_REMOVED', /^(?<directive>\w+) was removed/],
  DIRECTIVE_ARG_REMOVED: [
    'DIRECTIVE_ARGUMENT_REMOVED',
    /^(?<argument>\w+) was removed from (?<directive>\w+)/,
  ],
  REQUIRED_DIRECTIVE_ARG_ADDED: [
    'DIRECTIVE_ARGUMENT_ADDED',
    /arg (?<argument>\w+) on directive (?<directive>\w+)/,
  ],
  DIRECTIVE_REPEATABLE_REMOVED: ['DIRECTIVE_REPEATABLE_REMOVED', /removed from (?<directive>\w+)/],
  DIRECTIVE_LOCATION_REMOVED: ['DIRECTIVE_LOCATION_REMOVED', /removed from (?<directive>\w+)/],
};

// An input field is called like the field of an output type; the old schema knows which one it is.
const INPUT_KINDS = {
  FIELD_REMOVED: 'INPUT_FIELD_REMOVED',
  FIELD_TYPE_CHANGED: 'INPUT_FIELD_TYPE_CHANGED',
};

function sentence(old, level) {
  return ({ type, description }) => {
    const unused = /^Standard scalar (\w+) was removed/.exec(description);
    if (unused) return { kind: 'STANDARD_SCALAR_REMOVED', coordinate: unused[1], level };
    const [kind, pattern] = SENTENCES[type] ?? [];
    const names = pattern?.exec(description)?.groups;
    if (!names) throw new Error(`unknown change of graphql-js: ${type}: ${description}`);
    const owner = names.directive ? `@${names.directive}` : names.type;
    const isInput = old.getType(names.type)?.astNode?.kind === 'InputObjectTypeDefinition';
    return {
      kind: (isInput && INPUT_KINDS[kind]) || kind,
      coordinate: join(owner, names.part, names.argument),
      level,
    };
  };
}

const pairs = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const reports = [];
for (const pair of pairs) {
  const [before, now] = [buildSchema(pair.old), buildSchema(pair.new)];
  const changes = await diff(before, now);
  reports.push({
    inspector: changes.map((change) => ({
      kind: change.type,
      coordinate: coordinate(change),
      level: LEVELS[change.criticality.level],
    })),
    reference: [
      ...findBreakingChanges(before, now).map(sentence(before, 'breaking')),
      ...findDangerousChanges(before, now).map(sentence(before, 'dangerous')),
    ],
  });
}
process.stdout.write(JSON.stringify(reports));
