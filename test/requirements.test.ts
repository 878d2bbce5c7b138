import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCitations, formatCounts, readCoverage, findSettlements, computeCoverage } from './coverage.ts';
import { requirements } from './requirements.ts';

const root = path.dirname(import.meta.dirname);
const original = path.join(root, '../shared/requirements.tsv');

describe('the rules of the specification', () => {
  it('are each proven by a test, settled by a decision, or pending, and only one of these', () => {
    expect(readCoverage(root).faults).toEqual([]);
  });

  it('equal the list that they were taken from', ({ skip }) => {
    if (!existsSync(original))
      skip('the list of rules is not beside this checkout (../shared/requirements.tsv)');
    const rows = readFileSync(original, 'utf8').trimEnd().split('\n').slice(1);
    const ours = Object.entries(requirements).map(([id, { section, rule }]) => `${id}\t${section}\t${rule}`);
    expect(ours).toEqual(rows);
  });
});

it('counts what stands and what waits', () => {
  const coverage = computeCoverage(
    ['a', 'open-b', 'c'],
    ['c'],
    [{ id: 'a', file: 'a.test.ts', line: 1 }],
    [],
  );
  expect(formatCounts(coverage)).toMatch(/^463 rules: 1 proven, 0 settled, 1 pending/);
});

describe('weighing', () => {
  const at = (id: string) => ({ id, file: 'a.test.ts', line: 1 });

  it('finds nothing wrong where every rule stands or waits', () => {
    expect(computeCoverage(['a', 'open-b', 'c'], ['c'], [at('a'), at('a')], [at('open-b')]).faults).toEqual(
      [],
    );
  });

  it.each([
    ['an id that nothing stands for', [], [], [], 'a is neither proven'],
    ['a pending id that a test cites', ['a'], [at('a')], [], 'a stands now'],
    ['a pending id that a decision settles', ['open-b'], [at('a')], [at('open-b')], 'open-b stands now'],
    ['a cited id that does not exist', [], [at('a'), at('z')], [], 'z is not a rule'],
    ['a settled id that does not exist', [], [at('a')], [at('open-z')], 'open-z is not a rule'],
    ['a pending id that does not exist', ['z'], [at('a')], [], 'z is pending and is not a rule'],
    ['a rule that a decision cannot settle', [], [], [at('a')], 'a is not open'],
  ])('finds %s', (_, waiting, cited, settling, sentence) => {
    const { faults } = computeCoverage(['a', 'open-b'], waiting, cited, [
      ...settling,
      ...(waiting.includes('open-b') ? [] : [at('open-b')]),
    ]);
    expect(faults).toEqual([expect.stringContaining(sentence)]);
  });
});

describe('reading', () => {
  it('takes citations from calls over several lines, and not from comments or strings', () => {
    const call = (ids: string) => ['proves', '(', ids, ');'].join('');
    const text = [call("\n  'a',\n  'b',\n"), `// ${call("'c'")}`, `const text = "${call("'d'")}";`].join(
      '\n',
    );
    expect(findCitations('x.test.ts', text)).toEqual([
      { id: 'a', file: 'x.test.ts', line: 2 },
      { id: 'b', file: 'x.test.ts', line: 3 },
    ]);
  });

  it('takes settlements from lines that begin with Settles, and goes on after a comma', () => {
    const text = '# A title\n\nSettles: open-a, `open-b`,\nopen-c.\nIt Settles: open-d\n';
    expect(findSettlements('1.md', text).map(({ id, line }) => `${id} ${line}`)).toEqual([
      'open-a 3',
      'open-b 3',
      'open-c 4',
    ]);
  });
});
