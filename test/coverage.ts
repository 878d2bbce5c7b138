import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles, computeLine, parseSource } from '../scripts/tidy/source.ts';
import { pending } from './requirements-pending.ts';
import { requirements } from './requirements.ts';

/** Where an id is cited by a test or settled by a decision. */
export type Citation = { readonly id: string; readonly file: string; readonly line: number };

/** What stands for each rule: a test, a decision, or a capability still to come. */
export type Coverage = {
  readonly proven: ReadonlySet<string>;
  readonly settled: ReadonlySet<string>;
  readonly pending: ReadonlySet<string>;
  /** One sentence each; empty where every rule is accounted for exactly once. */
  readonly faults: readonly string[];
};

/** The coverage of the tree at `root`: its tests under src, test and web, and its decisions. */
export function readCoverage(root: string): Coverage {
  const tests = ['src', 'test', 'web'].flatMap((folder) => listFiles(root, folder, /\.test\.tsx?$/));
  const decisions = listFiles(root, 'docs/decisions', /\.md$/);
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return computeCoverage(
    Object.keys(requirements),
    Object.keys(pending),
    tests.flatMap((file) => findCitations(file, read(file))),
    decisions.flatMap((file) => findSettlements(file, read(file))),
  );
}

/** The ids that a test file cites by `proves('…')`; comments and strings that only look like it do not count. */
export function findCitations(file: string, text: string): Citation[] {
  const { bare, code } = parseSource(file, text);
  return [...code.matchAll(/\bproves\s*\(([^)]*)\)/g)].flatMap((call) => {
    const quoted = bare.slice(call.index, call.index + call[0].length);
    return [...quoted.matchAll(/'([^']*)'|"([^"]*)"/g)].map((match) => ({
      id: match[1] ?? match[2] ?? '',
      file,
      line: computeLine(text, call.index + match.index),
    }));
  });
}

/** The ids that a decision settles: lines `Settles: open-a, open-b`, which go on after a comma. */
export function findSettlements(file: string, text: string): Citation[] {
  return [...text.matchAll(/^Settles:((?:[^\n]*,[ \t]*\n)*[^\n]*)/gm)].flatMap((list) =>
    [...list[1]!.matchAll(/[^\s,`]+/g)].map((match) => ({
      id: match[0].replace(/\.$/, ''),
      file,
      line: computeLine(text, list.index + 'Settles:'.length + match.index),
    })),
  );
}

/** Holds what is cited and settled against what is known and pending. */
export function computeCoverage(
  known: readonly string[],
  waiting: readonly string[],
  cited: readonly Citation[],
  settling: readonly Citation[],
): Coverage {
  const ids = new Set(known);
  const proven = new Set(cited.map(({ id }) => id));
  const settled = new Set(settling.map(({ id }) => id));
  const citations = [...cited, ...settling];
  const formatFault = ({ id, file, line }: Citation, what: string) => `${file}:${line}: ${id} ${what}`;
  return {
    proven,
    settled,
    pending: new Set(waiting),
    faults: [
      ...citations
        .filter(({ id }) => !ids.has(id))
        .map((each) => formatFault(each, 'is not a rule of the specification.')),
      ...settling
        .filter(({ id }) => !id.startsWith('open-'))
        .map((each) => formatFault(each, 'is not open: a decision cannot settle it.')),
      ...citations
        .filter(({ id }) => waiting.includes(id))
        .map((each) => formatFault(each, 'stands now: take it off test/requirements-pending.ts.')),
      ...waiting
        .filter((id) => !ids.has(id))
        .map((id) => `${id} is pending and is not a rule of the specification.`),
      ...known
        .filter((id) => !proven.has(id) && !settled.has(id) && !waiting.includes(id))
        .map((id) => `${id} is neither proven by a test, nor settled by a decision, nor pending.`),
    ],
  };
}

/** One line for people: how many rules stand, and how many wait for what. */
export function formatCounts({ proven, settled, pending: waiting }: Coverage): string {
  const byCapability = Map.groupBy(Object.values(pending), (capability) => capability);
  const detail = [...byCapability]
    .map(([capability, entries]) => `${capability} ${entries.length}`)
    .join(', ');
  const total = Object.keys(requirements).length;
  return `${total} rules: ${proven.size} proven, ${settled.size} settled, ${waiting.size} pending${detail ? ` (${detail})` : ''}`;
}

if (import.meta.main) {
  const coverage = readCoverage(path.dirname(import.meta.dirname));
  for (const each of coverage.faults) console.error(each);
  console.log(formatCounts(coverage));
  process.exitCode = coverage.faults.length === 0 ? 0 : 1;
}
