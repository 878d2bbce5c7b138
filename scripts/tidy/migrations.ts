import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toCamelCase, fault, listFiles, computeLine, type Source } from './source.ts';

type Table = { readonly name: string; readonly file: string; readonly line: number };

/** The first migration that breaks the numbering 0001, 0002 and so on; the later ones are wrong because of it. */
export function findNumberingFaults(root: string): string[] {
  const faults = listFiles(root, 'migrations', /\.sql$/).flatMap((file, index) => {
    const number = String(index + 1).padStart(4, '0');
    const named = new RegExp(`^migrations/${number}_[a-z0-9_]+\\.sql$`).test(file);
    return named
      ? []
      : [fault(file, 1, `the next migration is ${number}_….sql: numbers have no gaps and no duplicates.`)];
  });
  return faults.slice(0, 1);
}

/**
 * Tables with a `member_id` that are missing from data exports and erasures. The store that writes such a table must belong to a module whose
 * `index.ts` exports `personalData`, and `src/tables/personal-data.ts` must list every such module.
 */
export function findPersonalDataFaults(root: string, sources: readonly Source[]): string[] {
  const uncovered = findMemberTables(root).filter(({ name }) => !isCovered(name, sources));
  return [
    ...uncovered.map(({ name, file, line }) =>
      fault(
        file,
        line,
        `${name} has a member_id, but no module that exports personalData has it in its store.`,
      ),
    ),
    ...findUnlistedHolders(sources),
  ];
}

/** A module that the table leaves out would be skipped by every data export and every erasure. */
function findUnlistedHolders(sources: readonly Source[]): string[] {
  const table = sources.find(({ path: file }) => file === 'src/tables/personal-data.ts');
  const [, list = ''] = /\bexport const personalData\b[^{]*\{([^}]*)\}/.exec(table?.code ?? '') ?? [];
  const listed = new Set([...list.matchAll(/\b(\w+)\.personalData\b/g)].map(([, module]) => module));
  return sources.filter(hasPersonalData).flatMap(({ path: file }) => {
    const module = /^src\/modules\/[^/]+\/([^/]+)\/index\.ts$/.exec(file)?.[1];
    return module === undefined || listed.has(toCamelCase(module))
      ? []
      : [
          fault(
            'src/tables/personal-data.ts',
            1,
            `the module ${module} holds personal data, but is not in the table.`,
          ),
        ];
  });
}

function isCovered(table: string, sources: readonly Source[]): boolean {
  const mention = new RegExp(`\\b${table}\\b`);
  return sources.some((each) => {
    const folder = /^(src\/modules\/[^/]+\/[^/]+\/)(?:[^/]+\/)?store(-[^/]+)?\.ts$/.exec(each.path)?.[1];
    return (
      folder !== undefined &&
      mention.test(each.bare) &&
      hasPersonalData(sources.find(({ path: file }) => file === `${folder}index.ts`))
    );
  });
}

function hasPersonalData(index: Source | undefined): boolean {
  return /\bexport\s*(?:const\s+|\{[^}]*|\*\s*as\s+)\bpersonalData\b/.test(index?.code ?? '');
}

/** The tables with a `member_id` that exist after all migrations. */
function findMemberTables(root: string): Table[] {
  const tables = new Map<string, Table>();
  for (const file of listFiles(root, 'migrations', /\.sql$/)) {
    const text = readFileSync(path.join(root, file), 'utf8').replace(/--[^\n]*/g, (comment) =>
      ' '.repeat(comment.length),
    );
    for (const statement of splitStatements(text)) {
      const name = gainsMember.exec(statement.text)?.[1];
      if (name !== undefined) tables.set(name, { name, file, line: computeLine(text, statement.offset) });
      const dropped = /^drop\s+table\s+(?:if\s+exists\s+)?(?:\w+\.)?(\w+)/i.exec(statement.text)?.[1];
      if (dropped !== undefined) tables.delete(dropped);
    }
  }
  return [...tables.values()];
}

const gainsMember =
  /^(?:create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?|alter\s+table\s+)(?:\w+\.)?(\w+)\b[\s\S]*?(?:[(,]|\badd(?:\s+column)?(?:\s+if\s+not\s+exists)?)\s*member_id\s+\w/i;

function splitStatements(text: string): { text: string; offset: number }[] {
  return [...text.matchAll(/[^\s;][^;]*/g)].map((match) => ({ text: match[0], offset: match.index }));
}
