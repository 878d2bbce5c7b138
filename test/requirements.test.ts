import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCitations, formatCounts, readCoverage, findSettlements, computeCoverage } from './coverage.ts';
import { requirements } from './requirements.ts';

const root = path.dirname(import.meta.dirname);
const original = path.join(root, '../shared/requirements.tsv');

describe('the rules of the specification', () => {
  it('are each either proven by a test or settled by a decision', () => {
    expect(readCoverage(root).faults).toEqual([]);
  });

  it('are equal to the list from which they were copied', ({ skip }) => {
    if (!existsSync(original))
      skip('the list of rules is not next to this checkout (../shared/requirements.tsv)');
    const rows = readFileSync(original, 'utf8').trimEnd().split('\n').slice(1);
    const ours = Object.entries(requirements).map(([id, { section, rule }]) => `${id}\t${section}\t${rule}`);
    expect(ours).toEqual(rows);
  });
});

it('counts the rules by their state', () => {
  const coverage = computeCoverage(['a', 'open-b', 'c'], [{ id: 'a', file: 'a.test.ts', line: 1 }], []);
  expect(formatCounts(coverage)).toBe('463 rules: 1 proven, 0 settled');
});

describe('the coverage', () => {
  const cite = (id: string) => ({ id, file: 'a.test.ts', line: 1 });

  it('has no fault if every rule is proven or settled', () => {
    expect(computeCoverage(['a', 'open-b'], [cite('a'), cite('a')], [cite('open-b')]).faults).toEqual([]);
  });

  it.each([
    ['an id that nothing covers', [], [], 'a is neither proven'],
    ['a cited id that does not exist', [cite('a'), cite('z')], [], 'z is not a rule'],
    ['a settled id that does not exist', [cite('a')], [cite('open-z')], 'open-z is not a rule'],
    ['a rule that a decision cannot settle', [], [cite('a')], 'a is not an open question'],
  ])('finds %s', (_, cited, settling, sentence) => {
    const { faults } = computeCoverage(['a', 'open-b'], cited, [...settling, cite('open-b')]);
    expect(faults).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('the reader', () => {
  it('finds citations in calls over several lines, and not in comments or strings', () => {
    const call = (ids: string) => ['proves', '(', ids, ');'].join('');
    const text = [call("\n  'a',\n  'b',\n"), `// ${call("'c'")}`, `const text = "${call("'d'")}";`].join(
      '\n',
    );
    expect(findCitations('x.test.ts', text)).toEqual([
      { id: 'a', file: 'x.test.ts', line: 2 },
      { id: 'b', file: 'x.test.ts', line: 3 },
    ]);
  });

  it('finds settlements in lines that begin with Settles, which continue after a comma', () => {
    const text = '# A title\n\nSettles: open-a, `open-b`,\nopen-c.\nIt Settles: open-d\n';
    expect(findSettlements('1.md', text).map(({ id, line }) => `${id} ${line}`)).toEqual([
      'open-a 3',
      'open-b 3',
      'open-c 4',
    ]);
  });
});
