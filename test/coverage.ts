import { readFileSync } from 'node:fs';
import path from 'node:path';
import { listFiles, computeLine, parseSource } from '../scripts/tidy/source.ts';
import { requirements } from './requirements.ts';

/** The place where a test cites an id or a decision settles it. */
export type Citation = { readonly id: string; readonly file: string; readonly line: number };

/** How each rule is covered: by a test or by a decision. */
export type Coverage = {
  readonly proven: ReadonlySet<string>;
  readonly settled: ReadonlySet<string>;
  /** One sentence each; empty if every rule is covered in exactly one way. */
  readonly faults: readonly string[];
};

/** The coverage of the tree at `root`: its tests under src, test and web, and its decisions. */
export function readCoverage(root: string): Coverage {
  const tests = ['src', 'test', 'web'].flatMap((folder) => listFiles(root, folder, /\.test\.tsx?$/));
  const decisions = listFiles(root, 'docs/decisions', /\.md$/);
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return computeCoverage(
    Object.keys(requirements),
    tests.flatMap((file) => findCitations(file, read(file))),
    decisions.flatMap((file) => findSettlements(file, read(file))),
  );
}

/** The ids that a test file cites by `proves('…')`, outside comments and strings. */
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

/** The ids that a decision settles: lines `Settles: open-a, open-b`, which continue after a comma. */
export function findSettlements(file: string, text: string): Citation[] {
  return [...text.matchAll(/^Settles:((?:[^\n]*,[ \t]*\n)*[^\n]*)/gm)].flatMap((list) =>
    [...list[1]!.matchAll(/[^\s,`]+/g)].map((match) => ({
      id: match[0].replace(/\.$/, ''),
      file,
      line: computeLine(text, list.index + 'Settles:'.length + match.index),
    })),
  );
}

/** Compares the cited and settled ids with the known ones. */
export function computeCoverage(
  known: readonly string[],
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
    faults: [
      ...citations
        .filter(({ id }) => !ids.has(id))
        .map((each) => formatFault(each, 'is not a rule of the specification.')),
      ...settling
        .filter(({ id }) => !id.startsWith('open-'))
        .map((each) => formatFault(each, 'is not an open question: a decision cannot settle it.')),
      ...known
        .filter((id) => !proven.has(id) && !settled.has(id))
        .map((id) => `${id} is neither proven by a test, nor settled by a decision.`),
    ],
  };
}

/** One line: how many rules are covered, and how. */
export function formatCounts({ proven, settled }: Coverage): string {
  const total = Object.keys(requirements).length;
  return `${total} rules: ${proven.size} proven, ${settled.size} settled`;
}

if (import.meta.main) {
  const coverage = readCoverage(path.dirname(import.meta.dirname));
  for (const each of coverage.faults) console.error(each);
  console.log(formatCounts(coverage));
  process.exitCode = coverage.faults.length === 0 ? 0 : 1;
}
