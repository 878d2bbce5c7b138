import { computeCorrelation } from '@tessera/psychometrics';
import { expect, test } from 'vitest';
import type { ProgressOutput } from '#lib/progress-bar.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';
import { compareGroups } from './compare-groups.ts';
import { importBank } from './import-bank.ts';
import { linkForms } from './link-forms.ts';
import { readMost, scoreAnswers } from './score-answers.ts';
import { simulateDesign, summariseDesign } from './simulate-design.ts';

const write = await createFileWriter();
const { platform } = await startApp();
const enemies = smallBankCsv
  .replace('text:de', 'enemies')
  .replace('Ich bin calm_1.', 'calm_2')
  .replace(/Ich bin [^.]*\./g, '');
await importBank(platform, { file: await write('bank.csv', enemies), name: 'small' });
const first = simulateAnswers({ people: 1_200, seed: 1 });
const answers = await write('answers.csv', first.csv);
const calibrated = await calibrateItems(platform, { csv: answers, bank: 'small' }, quiet);
const input = { bank: 'small', version: calibrated.version! };

async function listScores(
  csv: string,
  more: Readonly<Record<string, string>> = {},
  output: ProgressOutput = quiet,
) {
  const scores = [];
  for await (const each of scoreAnswers(platform, { ...input, csv, ...more }, output)) scores.push(each);
  return scores;
}

test('a calibration finds the parameters that people answered by, and says what is missing', async () => {
  expect(calibrated).toMatchObject({
    provisional: false,
    respondents: 1_200,
    missing: { cells: 0, respondents: 0 },
  });
  const [calm] = calibrated.traits;
  for (const [index, { discrimination, thresholds }] of calm!.items.entries()) {
    expect(Math.abs(discrimination - (1.2 + 0.15 * index))).toBeLessThan(0.3);
    expect(Math.abs(thresholds[1]! - (-0.6 + (index - 3.5) / 6))).toBeLessThan(0.25);
  }
  const gaps = first.csv
    .split('\n')
    .map((line, row) => (row % 10 === 3 ? line.replace(/,.*/, ','.repeat(16)) : line))
    .join('\n');
  const other = await calibrateItems(platform, { csv: await write('gaps.csv', gaps), bank: 'small' }, quiet);
  expect(other).toMatchObject({
    respondents: 1_080,
    missing: { cells: 1_920, respondents: 120, unused_respondents: 0 },
  });
});

test('scores are close to the truth with bounds that hold, one row for each respondent', async () => {
  const scores = await listScores(answers);
  expect(scores.map(({ person }) => person)).toEqual(first.truths.map((_, index) => `p${index}`));
  expect(scores[0]).toMatchObject({ asked: 16, traits: [{ trait: 'calm' }, { trait: 'order' }] });
  const calm = scores.map(({ traits }) => traits[0]!);
  expect(
    computeCorrelation(
      calm.map(({ mean }) => mean),
      first.truths,
    ),
  ).toBeGreaterThan(0.9);
  const covered = calm.filter(
    ({ lower, upper }, index) => first.truths[index]! >= lower && first.truths[index]! <= upper,
  );
  expect(covered.length / 1_200).toBeGreaterThan(0.93);
  expect(scores.filter(({ quality_flags }) => quality_flags.length > 0).length / 1_200).toBeLessThan(0.05);
});

test('with --most, only statements that have an answer are asked, and never two enemies', async () => {
  const few = first.csv
    .split('\n')
    .slice(0, 30)
    .map((line, row) => (row === 1 ? line.replace(/,\d/, ',') : line))
    .join('\n');
  const lines: string[] = [];
  const output = { write: (text: string) => lines.push(text) > 0 };
  const scores = await listScores(await write('few.csv', few), { most: '6' }, output);
  expect(lines[0]).toBe('missing: 1 answers, 0 respondents without any, 0 statements without a column\n');
  expect(scores).toHaveLength(29);
  for (const { asked, asked_items } of scores) {
    expect([asked, new Set(asked_items).size]).toEqual([asked_items.length, asked_items.length]);
    expect(asked).toBeLessThanOrEqual(6);
    expect(asked_items.filter((id) => id === 'calm_1' || id === 'calm_2').length).toBeLessThan(2);
  }
  expect(scores[0]!.asked_items).not.toContain('calm_1');
  expect(() => readMost('0')).toThrow('--most must be a whole number');
});

test('a row without answers is scored as anybody, and nothing is printed of a file with an error', async () => {
  const [empty] = await listScores(await write('empty.csv', 'person,calm_1\nx,\n'));
  expect(empty).toMatchObject({ person: 'x', asked: 0 });
  expect(empty!.traits[0]!.sd).toBeCloseTo(1, 2);
  await expect(listScores(await write('wrong.csv', 'person,calm_1\nx,1\ny,6\n'))).rejects.toThrow(
    /line 3, column calm_1/,
  );
});

test('a statement that one group answers two steps higher is found, and hardly any other', async () => {
  const [header, ...rows] = first.csv.split('\n');
  const groups = rows.map((line, row) => {
    const cells = line.split(',');
    if (row % 2 === 0) cells[3] = String(Math.min(5, Number(cells[3]) + 2));
    return [...cells, row % 2 === 0 ? 'f' : row % 101 === 0 ? '' : 'm'].join();
  });
  const csv = await write('groups.csv', [`${header},sex`, ...groups].join('\n'));
  const lines: string[] = [];
  const compared = await compareGroups(
    platform,
    { ...input, csv, group: 'sex' },
    { write: (text) => lines.push(text) },
  );
  expect(compared).toHaveLength(16);
  expect(compared.find(({ item_id }) => item_id === 'calm_3')).toMatchObject({
    class: 'large',
    group: 'm',
    compared_with: 'f',
  });
  expect(compared.filter((each) => each.class !== 'small').length).toBeLessThan(3);
  expect(lines.join('')).toContain('not compared: 6 respondents');
  await expect(compareGroups(platform, { ...input, csv, group: 'person' }, quiet)).rejects.toThrow(
    'there are 0',
  );
});

test('a new form that others answered is put onto the scale of the old one by five anchors', async () => {
  const above = simulateAnswers({ people: 2_000, seed: 9, shift: 0.7 });
  const newForm = smallBankCsv.replace(/order.*\n?/g, '');
  await importBank(platform, { file: await write('form.csv', newForm), name: 'form' });
  const csv = await write('above.csv', above.csv);
  const { version } = await calibrateItems(platform, { csv, bank: 'form' }, quiet);
  const anchors = [
    'item_id,bank,version',
    ...[1, 2, 3, 4, 5].map((n) => `calm_${n},small,${input.version}`),
  ].join('\n');
  const linked = await linkForms(platform, {
    bank: 'form',
    version: version!,
    anchors: await write('anchors.csv', anchors),
  });
  expect(linked).toMatchObject({
    bank: 'form',
    is_new: true,
    unlinked: [],
    scales: [{ scale: 'calm', anchors: 5 }],
  });
  expect(linked.scales[0]!.intercept).toBeCloseTo(0.7, 0);
  const [old, moved, unmoved] = [
    await listScores(csv),
    await listScores(csv, { bank: 'form', version: linked.version }),
    await listScores(csv, { bank: 'form', version: version! }),
  ].map((scores) => scores.reduce((sum, { traits }) => sum + traits[0]!.mean, 0) / scores.length);
  expect(Math.abs(moved! - old!)).toBeLessThan(0.05);
  expect(Math.abs(unmoved! - old!)).toBeGreaterThan(0.4);
});

test.each([
  ['without a column item_id', 'id\ncalm_1\n', /line 1: there is no column item_id/],
  ['with an anchor twice', 'item_id,discrimination,threshold:1\na,1,0\na,1,0\n', /line 3, column item_id/],
  ['without parameters', 'item_id\ncalm_1\n', /line 2: an anchor needs/],
  [
    'with thresholds that do not ascend',
    'item_id,discrimination,threshold:1,threshold:2\na,1,1,0\n',
    /line 2, column threshold:1/,
  ],
  ['with a word', 'item_id,discrimination,threshold:1\na,x,0\n', /line 2, column discrimination: "x"/],
  [
    'with another number of thresholds',
    'item_id,discrimination,threshold:1\ncalm_1,1,0\n',
    /calm_1 has another number/,
  ],
  ['with too few anchors', 'item_id,discrimination,threshold:1\na,1,0\n', /fewer than 3 anchors/],
])('refuses a file of anchors %s', async (_, content, line) => {
  const anchors = await write('anchors.csv', content);
  await expect(linkForms(platform, { ...input, anchors })).rejects.toThrow(line);
});

test('a design is simulated before and after its calibration, the same for the same seed', async () => {
  const simulate = (more: Readonly<Record<string, string>>) =>
    simulateDesign(platform, { bank: 'small', people: '40', ...more }, quiet);
  const before = await simulate({});
  expect(before).toMatchObject({ version: null, people: 40 });
  const after = await simulate({ version: input.version, most: '8' });
  expect(await simulate({ version: input.version, most: '8' })).toEqual(after);
  expect(after.length.longest).toBeLessThanOrEqual(8);
  expect(after.precision[0]!.r).toBeGreaterThan(0.6);
  expect(after.exposure.items).toHaveLength(16);
  expect(summariseDesign(after).precision['calm']).toMatch(/^r 0\.\d{3}, mean sd/);
  await expect(simulate({ people: '0' })).rejects.toThrow('--people must be a whole number from 1 to 5000');
});
