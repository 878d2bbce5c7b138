import { classifyFile, moduleOrder } from './imports.ts';
import { readSchema, type SchemaObject } from './schema.ts';
import { computeLine, fault, type Source } from './source.ts';
import { parseSql } from '../statements/parse-sql.ts';
import { locate, type SourceStatement, type Variant } from '../statements/read-statements.ts';
import { listCalls, listTableUses, type TableUse } from '../statements/table-uses.ts';

const file = 'src/tables/tables.ts';

/** One name in the table: `matching` `reads` `job_outlines`. */
type Entry = {
  readonly module: string;
  readonly list: string;
  readonly name: string;
  readonly line: number;
  /** Set when something needs the entry. */
  used: boolean;
};

/**
 * The statements that read or write what another module owns without its leave, and the names in `src/tables/tables.ts` that nothing needs. A
 * module reads and writes its own tables, and reads the views that modules above it publish and that it has declared.
 */
export function findTableFaults(
  root: string,
  sources: readonly Source[],
  statements: readonly SourceStatement[],
): string[] {
  const table = sources.find((each) => each.path === file);
  if (!table) return [fault(file, 1, 'the table of tables is missing.')];
  const ownership = parseOwnership(table.bare);
  const schema = readSchema(root);
  return [
    ...findStatementFaults(ownership, sources, statements),
    ...findSchemaFaults(ownership, schema),
    ...findEntryFaults(ownership, schema),
  ];
}

type Ownership = {
  readonly entries: readonly Entry[];
  /** The module that has a name in one of these lists. */
  readonly findModule: (name: string, ...lists: readonly string[]) => string | undefined;
  /** Whether a module has a name in a list; marks the entry as used. */
  readonly takeEntry: (module: string, list: string, name: string) => boolean;
};

function parseOwnership(bare: string): Ownership {
  const modules = [...bare.matchAll(/^ {2}'?([\w-]+)'?: \{/gm)];
  const entries = [...bare.matchAll(/\b(\w+): \[([^[\]]*)\]/g)].flatMap((list) => {
    const module = modules.findLast(({ index }) => index < list.index)?.[1];
    const start = list.index + list[0].indexOf('[');
    if (module === undefined) return [];
    return [...list[2]!.matchAll(/'([^']*)'/g)].map((name) => ({
      module,
      list: list[1]!,
      name: name[1]!,
      line: computeLine(bare, start + 1 + name.index),
      used: false,
    }));
  });
  return {
    entries,
    findModule: (name, ...lists) =>
      entries.find((entry) => lists.includes(entry.list) && entry.name === name)?.module,
    takeEntry: (module, list, name) => {
      const found = entries.filter(
        (entry) => entry.module === module && entry.list === list && entry.name === name,
      );
      for (const entry of found) entry.used = true;
      return found.length > 0;
    },
  };
}

/** The platform is above all modules. */
function rankOwner(module: string): number {
  return module === 'platform' ? -1 : moduleOrder.findIndex((each) => each === module);
}

function findStatementFaults(
  ownership: Ownership,
  sources: readonly Source[],
  statements: readonly SourceStatement[],
): string[] {
  const texts = new Map(sources.map(({ path, bare }) => [path, bare]));
  const faults = statements.flatMap(({ variants }) =>
    variants.flatMap((variant) =>
      listUses(variant).flatMap(({ at, describe }) => {
        const { file: written, offset } = locate(variant, at);
        const sentence = describe(ownership, classifyFile(written).module ?? 'platform');
        return sentence === undefined
          ? []
          : [fault(written, computeLine(texts.get(written) ?? '', offset), sentence)];
      }),
    ),
  );
  return [...new Set(faults)];
}

/** What a variant of a statement does, as functions that say what is wrong with it. */
type Use = {
  readonly at: number;
  readonly describe: (ownership: Ownership, module: string) => string | undefined;
};

function listUses({ text }: Variant): Use[] {
  try {
    return parseSql(text).flatMap(({ tree }) => [
      ...listCalls(tree, text).map(({ at, name }) => ({
        at,
        describe: (ownership: Ownership, module: string) => describeCall(ownership, module, name),
      })),
      ...listTableUses(tree, text).map((use) => ({
        at: use.at,
        describe: (ownership: Ownership, module: string) => describeUse(ownership, module, use, 'reads'),
      })),
    ]);
  } catch (error) {
    return [{ at: 0, describe: () => `PostgreSQL cannot read this statement: ${(error as Error).message}.` }];
  }
}

function describeCall({ findModule }: Ownership, module: string, name: string): string | undefined {
  const owner = findModule(name, 'functions');
  return owner === undefined || owner === module ? undefined : `only ${owner} calls ${name}.`;
}

/** What is wrong with a use of a table or view, or undefined. `declared` is the list in which a foreign view must be. */
function describeUse(
  { findModule, takeEntry }: Ownership,
  module: string,
  { name, use }: TableUse,
  declared: 'reads' | 'guards',
): string | undefined {
  // Catalogues of PostgreSQL and of Citus, and the schema in which the platform notes how far it has distributed a database.
  if (/^(?:pg_|citus_|information_schema\.|distribution\.)/.test(name)) return undefined;
  const owner = findModule(name, 'owns');
  if (owner !== undefined) {
    if (owner === module) return undefined;
    return use === 'write'
      ? `only ${owner} writes ${name}: ${module} calls a function of its index.ts.`
      : `only ${owner} reads ${name}: ${module} reads a view that it publishes, or calls a function of its index.ts.`;
  }
  const publisher = findModule(name, 'publishes');
  if (publisher === undefined) return `${name} is not in ${file}.`;
  if (use === 'write') return `${name} is a view: write the tables of ${publisher}.`;
  if (publisher === module) return undefined;
  takeEntry(publisher, 'publishes', name);
  if (!takeEntry(module, declared, name)) return `${module} reads ${name}: declare it in ${file}.`;
  if (use === 'lock' && !takeEntry(module, 'locks', name))
    return `${module} locks ${name}: declare it in ${file}.`;
  return undefined;
}

function findSchemaFaults(ownership: Ownership, schema: readonly SchemaObject[]): string[] {
  return schema.flatMap((each) =>
    each.kind === 'trigger' ? findTriggerFaults(ownership, each) : findObjectFaults(ownership, each),
  );
}

const listOfKind = { table: 'owns', view: 'publishes', function: 'functions' } as const;

function findObjectFaults(
  ownership: Ownership,
  { kind, name, uses, calls, fault: writeFault }: SchemaObject,
): string[] {
  const owner = ownership.findModule(name, listOfKind[kind as 'table']);
  if (owner === undefined) return [writeFault(`no module in ${file} has the ${kind} ${name}.`)];
  const called = calls.flatMap((call) => {
    const sentence = describeCall(ownership, owner, call);
    return sentence === undefined ? [] : [writeFault(sentence)];
  });
  const used = uses.flatMap((use) => {
    const sentence =
      kind === 'table'
        ? describeReference(ownership, owner, use.name)
        : describeUse(ownership, owner, use, 'guards');
    return sentence === undefined ? [] : [writeFault(sentence, use.at)];
  });
  return [...called, ...used];
}

/** A foreign key makes the database refuse: only tables of modules below may do that to a table. */
function describeReference({ findModule }: Ownership, module: string, name: string): string | undefined {
  const owner = findModule(name, 'owns');
  if (owner === undefined || rankOwner(owner) <= rankOwner(module)) return undefined;
  return `a table of ${module} refers to ${name} of ${owner}, which is not above it.`;
}

function findTriggerFaults(
  { findModule, takeEntry }: Ownership,
  { table = '', runs = '', fault: writeFault }: SchemaObject,
): string[] {
  const owner = findModule(table, 'owns');
  const module = findModule(runs, 'functions');
  if (module === undefined || module === owner || module === 'platform') return [];
  if (takeEntry(module, 'follows', table)) return [];
  return [writeFault(`a trigger of ${module} follows ${table}: declare it in ${file}.`)];
}

function findEntryFaults({ entries, findModule }: Ownership, schema: readonly SchemaObject[]): string[] {
  const existing = new Set(schema.map(({ kind, name }) => `${kind} ${name}`));
  const describeEntry = ({ module, list, name, used }: Entry): string | undefined => {
    if (module !== 'platform' && rankOwner(module) < 0)
      return `the module ${module} has no place in the order of modules (scripts/tidy/imports.ts).`;
    if (['owns', 'functions', 'publishes'].includes(list)) {
      if (entries.filter((entry) => entry.list === list && entry.name === name).length > 1)
        return `${name} has more than one owner.`;
      const kind = Object.entries(listOfKind).find(([, each]) => each === list)![0];
      if (!existing.has(`${kind} ${name}`) && !isMadeElsewhere(name))
        return `no migration creates the ${kind} ${name}.`;
    }
    if (list === 'publishes' && !used) return `no other module reads ${name}.`;
    if (['reads', 'locks', 'guards', 'follows'].includes(list) && !used)
      return `nothing of ${module} ${list} ${name}.`;
    const other = findModule(name, 'publishes', 'owns');
    return ['reads', 'follows'].includes(list) && rankOwner(other!) >= rankOwner(module)
      ? `${module} may not read ${name} of ${other}, which is not above it.`
      : undefined;
  };
  return entries.flatMap((entry) => {
    const sentence = describeEntry(entry);
    return sentence === undefined ? [] : [fault(file, entry.line, sentence)];
  });
}

/** The migrator makes its own table. */
function isMadeElsewhere(name: string): boolean {
  return name === 'migrations';
}
