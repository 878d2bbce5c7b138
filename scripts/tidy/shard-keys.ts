import type { SourceStatement } from '../statements/read-statements.ts';
import { computeLine, fault, isTest, type Source } from './source.ts';

const file = 'src/tables/placements.ts';
const exceptionsFile = 'src/tables/unkeyed.ts';

/**
 * Lists the statements that touch a distributed table without its shard key: in a distributed database such a statement is sent to every
 * node, and a lock fails. `placements` in `src/tables/placements.ts` says which tables are distributed and by which column, and `src/tables/unkeyed.ts` which
 * statements may do without.
 */
export function findShardKeyFaults(
  sources: readonly Source[],
  statements: readonly SourceStatement[],
): string[] {
  const table = sources.find((each) => each.path === file);
  const exceptionTable = sources.find((each) => each.path === exceptionsFile);
  if (!table || !exceptionTable) return [];
  const keys = readPairs(table.bare, 'placements').filter(
    ({ value }) => !['copied', 'single'].includes(value),
  );
  const exceptions = readPairs(exceptionTable.bare, 'unkeyed');
  const used = new Set<string>();
  const faults = statements.flatMap(({ file: path, owner, start, variants }) => {
    const missing = keys.filter((key) => isStatementWithoutKey(variants, key));
    if (missing.length === 0) return [];
    const name = `${path} ${owner}`;
    used.add(name);
    if (exceptions.some((exception) => exception.name === name)) return [];
    const { bare } = sources.find((each) => each.path === path)!;
    return missing.map(({ name: touched, value }) =>
      fault(
        path,
        computeLine(bare, start),
        `${owner} touches ${touched} without its shard key ${value}: pass the key, or add a reason to ${exceptionsFile}.`,
      ),
    );
  });
  const unneeded = exceptions.filter(({ name }) => !used.has(name));
  return [
    ...new Set(faults),
    ...unneeded.map(({ name, offset }) =>
      fault(
        exceptionsFile,
        computeLine(exceptionTable.bare, offset),
        `no statement needs the exception ${name}.`,
      ),
    ),
  ];
}

/**
 * Lists the statements that a distributed database treats in another way than one server: it counts the rows that `insert … select … on conflict` selects as inserted,
 * it returns no text of a time from a change of rows on the nodes, and it passes no rows without columns from the first node to the others.
 */
export function findNodeFaults(sources: readonly Source[], statements: readonly SourceStatement[]): string[] {
  const table = sources.find((each) => each.path === file);
  if (!table) return [];
  const places = readPairs(table.bare, 'placements');
  const onNodes = places.filter(({ value }) => value !== 'single');
  const isPassing = (text: string) =>
    places.some((each) => each.value === 'single' && isTouching(text, each)) &&
    onNodes.some((each) => each.value !== 'copied' && isTouching(text, each));
  return statements.flatMap(({ file: path, owner, start, variants }) => {
    const { bare } = sources.find((each) => each.path === path)!;
    const report = (message: string) => fault(path, computeLine(bare, start), `${owner} ${message}`);
    const texts = variants
      .map(({ text }) => text)
      .filter((text) => onNodes.some((each) => isTouching(text, each)));
    const faults: string[] = [];
    if (texts.some((text) => selected_insert.test(text)) && isCountUsed(bare.slice(0, start)))
      faults.push(
        report(
          'uses a count that is of selected rows on a distributed database: count what `returning` lists.',
        ),
      );
    if (texts.some((text) => returned_text.test(text)))
      faults.push(
        report('returns a conversion to text from a change, which a distributed database refuses.'),
      );
    if (texts.some((text) => columnless_rows.test(text) && isPassing(text)))
      faults.push(
        report(
          'passes rows without columns between nodes, which a distributed database refuses: select 1 from them.',
        ),
      );
    return faults;
  });
}

/** Lists the names of foreign keys in code: a distributed database has none between nodes, so that none can refuse anything. */
export function findForeignKeyFaults(sources: readonly Source[]): string[] {
  const message =
    'relies on a foreign key, which a distributed database may not have: look for the row instead.';
  return sources
    .filter(({ path }) => !isTest(path) && !path.startsWith('src/platform/distribution/'))
    .flatMap(({ path, bare }) => {
      const found = /'\w+_fkey'/.exec(bare);
      return found ? [fault(path, computeLine(bare, found.index), message)] : [];
    });
}

const selected_insert = /\binsert\s+into\b[^]*\bselect\b[^]*\bon\s+conflict\b/i;
const columnless_rows = /\bselect\s+from\b/i;
const returned_text = /\breturning\b[^()]*::text\b(?!\[)/i;

/** Whether the statement after this text is run for its count. Where nobody needs it, the call is a statement of its own that is awaited or not. */
function isCountUsed(before: string): boolean {
  return /\.run\(\s*$/.test(before) && !/(?:^|[;{}]|\))\s*(?:await|void)\s+[\w.]+\.run\(\s*$/.test(before);
}

type Pair = { readonly name: string; readonly value: string; readonly offset: number };

/** Reads `name: 'value'` and `'name': 'value'` of an exported constant object. */
function readPairs(bare: string, constant: string): Pair[] {
  const found = new RegExp(`\\bexport const ${constant}\\b[^{]*\\{([^}]*)\\}`).exec(bare);
  if (!found) return [];
  const start = found.index + found[0].length - found[1]!.length - 1;
  return [...found[1]!.matchAll(/(?:'([^']+)'|(\w+)):\s*(?:'([^']*)'|"([^"]*)")/g)].map((pair) => ({
    name: pair[1] ?? pair[2]!,
    value: pair[3] ?? pair[4]!,
    offset: start + pair.index,
  }));
}

/** Whether a statement touches a table, and no variant of it that does compares or inserts the key. */
function isStatementWithoutKey(variants: SourceStatement['variants'], key: Pair): boolean {
  const touching = variants
    .map(({ text }) => text.replace(/--[^\n]*/g, ' '))
    .filter((text) => isTouching(text, key));
  return touching.length > 0 && !touching.some((text) => hasKey(text, key));
}

function isTouching(text: string, { name }: Pair): boolean {
  return new RegExp(`(?:\\b(?:from|join|into|update|using)|,)\\s+(?:only\\s+)?${name}\\b(?!\\.)`, 'i').test(
    text,
  );
}

function hasKey(text: string, { name, value: key }: Pair): boolean {
  const column = `(?:\\w+\\.)?${key}`;
  const uses = [
    // member_id = $1, member_id = any($1)
    `(?<![\\w.])${column}\\s*=\\s*(?:any\\s*\\(\\s*)?\\$`,
    // matches.job_id = given.job_id, where the given ids are values
    ...(/\bunnest\s*\(\s*\$/i.test(text) ? [`(?<![\\w.])${column}\\s*=\\s*\\w+\\.`] : []),
    // insert into jobs ${job.insert(…)}: a resource names all of its columns
    `\\binto\\s+${name}\\s+\\$`,
    // insert into matches (id, member_id, …)
    `\\binto\\s+${name}\\b(?:\\s+as\\s+\\w+)?\\s*\\([^()]*\\b${key}\\b[^()]*\\)`,
  ];
  // ledger_journals.holder_id = reads.member_id, where reads.member_id = $1
  const joined = [...text.matchAll(new RegExp(`(?<![\\w.])${column}\\s*=\\s*\\w+\\.(\\w+)`, 'gi'))];
  const equal = joined.map(([, other]) => `(?<![\\w.])(?:\\w+\\.)?${other}\\s*=\\s*\\$`);
  return [...uses, ...equal].some((use) => new RegExp(use, 'i').test(text));
}
