import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createFileWriter, quiet, simulateAnswers, smallBankCsv } from '#test/modules/banks.ts';
import { importBank } from '../banks/import-bank.ts';
import { calibrateItems } from '../calibration/calibrate-items.ts';
import { itemBank } from '../items/item-bank.ts';
import type { ReportSection } from './report-document.ts';
import { reportBank, summariseReport } from './report-bank.ts';

const app = await startApp();
const write = await createFileWriter();
const to = path.dirname(await write('empty', ''));
const file = await write('small.csv', smallBankCsv);
await importBank(app.platform, { file, name: 'small' });
const { csv: answers, truths } = simulateAnswers({ people: 400, seed: 5 });
const csv = await write('answers.csv', answers);
const { version } = await calibrateItems(app.platform, { bank: 'small', csv }, quiet);
const report = (input: Readonly<Record<string, string>>) =>
  reportBank(app.platform, { bank: 'small', version: version!, to, ...input }, quiet);
const findSection = (sections: readonly ReportSection[], heading: string) =>
  sections.find((each) => each.heading === heading)!;

/** The answers with a column of two groups. */
function addGroups(): string {
  const [header, ...rows] = answers.split('\n');
  return [
    `${header},site`,
    ...rows.map((row, index) => `${row},${index % 2 === 0 ? 'north' : 'south'}`),
  ].join('\n');
}

/** The answers with columns of numbers: one that follows `calm`, noise, the same for everybody, and one that few have. */
function addCriteria(): string {
  const [header, ...rows] = answers.split('\n');
  const lines = rows.map((row, index) => {
    const calm = truths[index]!;
    const health = (calm + Math.sin(index * 12.9898)).toFixed(2);
    const age = index === 7 ? 'NA' : String(20 + ((index * 37) % 41));
    return `${row},${health},${age},3,${index % 10 === 0 ? index : ''}`;
  });
  return [`${header},health,age,constant,rare`, ...lines].join('\n');
}

const readNumbers = (cells: readonly string[]) =>
  cells.slice(1).map((cell) => Number(cell.replace('−', '-')));

/** Adds people who took two tests of our own statements; the second answers are the first, moved for some. */
async function insertRetests(people: number): Promise<void> {
  const ids = itemBank.graded.filter((_, place) => place % 4 === 0).map(({ id }) => id);
  const at = app.clock.now();
  for (let person = 0; person < people; person++) {
    const options = ids.map((_, place) => (person + (place % 3)) % 5);
    const moved = options.map((option, place) => (place % 7 === person % 7 ? 4 - option : option));
    await app.sql.run(sql`
      with first as (
        insert into volunteers (id, code_hash, consent_version, item_bank_version, parameter_version, asked_at, started_at, completed_at,
          item_ids, options, response_times_ms)
        values (gen_random_uuid(), decode(md5(random()::text), 'hex'), '1.0', ${itemBank.version}, ${itemBank.parameter_version},
          ${at}, ${at}, ${at}, ${ids}::text[], ${options}::smallint[], ${options}::integer[]) returning id)
      insert into volunteers (id, first_id, code_hash, consent_version, item_bank_version, parameter_version, asked_at, started_at, completed_at,
        item_ids, options, response_times_ms)
      select gen_random_uuid(), id, decode(md5(random()::text), 'hex'), '1.0', ${itemBank.version}, ${itemBank.parameter_version},
        ${at}, ${at}, ${at}, ${ids}::text[], ${moved}::smallint[], ${moved}::integer[] from first`);
  }
}

describe('the technical report of a bank', () => {
  it('has the parts of the EFPA model in their order, with the command behind each figure', async () => {
    const { sections, files } = await report({});
    expect(sections.map(({ heading }) => heading)).toEqual([
      'Materials',
      'Norms',
      'Reliability',
      'Conditional errors',
      'Structure',
      'Invariance',
      'Retest',
      'Validity',
      'Limits',
    ]);
    const withFigures = sections.filter(({ tables }) => tables.length > 0);
    expect(withFigures.every(({ command }) => command !== null)).toBe(true);
    expect(sections.filter(({ sentences, missing }) => sentences.length + missing.length === 0)).toEqual([]);
    const [calm] = findSection(sections, 'Reliability').tables[0]!.rows;
    expect(calm![0]).toBe('calm');
    const [reliability, lower, upper] = calm!.slice(1, 4).map(Number);
    expect(lower).toBeLessThan(reliability!);
    expect(upper).toBeGreaterThan(reliability!);
    const errors = findSection(sections, 'Conditional errors').tables[0]!.rows[0]!.slice(1).map(Number);
    expect(errors).toHaveLength(5);
    // Near the thresholds a scale measures best, and never worse than the population is spread.
    expect(errors[2]).toBeLessThan(errors[4]!);
    expect(Math.max(...errors)).toBeLessThan(1);
    const html = await readFile(files[0]!, 'utf8');
    expect(html).toContain('<h2>Validity</h2>');
    expect((await readFile(files[1]!)).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('says plainly what is missing, and shows groups when there are answers of groups', async () => {
    const written = await report({});
    expect(summariseReport(written).missing).toBe('Norms, Structure, Invariance, Retest, Validity');
    const grouped = await report({ csv: await write('grouped.csv', addGroups()), group: 'site' });
    const invariance = findSection(grouped.sections, 'Invariance');
    expect(invariance.missing).toEqual([]);
    expect(invariance.sentences[0]).toMatch(/Compared: (north with south|south with north)\. \d+ of 16 /);
    expect(invariance.command).toContain('--csv grouped.csv --group site');
  });

  it('shows what goes together with the scores, with intervals, and nothing of a column that says too little', async () => {
    const csv = await write('criteria.csv', addCriteria());
    const criteria = 'health, age,constant,rare';
    const { sections } = await report({ csv, criteria });
    const validity = findSection(sections, 'Validity');
    expect(validity.tables.map(({ caption }) => caption)).toEqual([
      'health, 398 people',
      'age, 397 people',
      expect.stringMatching(/^All scales together/),
    ]);
    const [calm, order] = validity.tables[0]!.rows.map(readNumbers);
    expect(calm![0]).toBeGreaterThan(0.6);
    expect(calm![1]).toBeLessThan(calm![0]!);
    expect(order![1]).toBeLessThan(0.05);
    expect(order![2]).toBeGreaterThan(-0.05);
    // Noise is not predicted for people who were left out of the estimate.
    const [health, age] = validity.tables[2]!.rows.map((row) => readNumbers(row.slice(1)));
    expect(health![0]).toBeGreaterThan(0.6);
    expect(age![0]).toBeLessThan(0.15);
    expect(validity.missing.slice(0, 2)).toEqual([
      'What goes together with constant: everybody has the same number.',
      'What goes together with rare: 40 people have a number in this column, and 100 are needed.',
    ]);
    expect(validity.command).toContain('--csv criteria.csv --criteria health,age,constant,rare');
    const reliability = findSection(sections, 'Reliability').tables[1]!;
    expect(reliability.caption).toBe('Reliability among 398 respondents of criteria.csv');
    expect(readNumbers(reliability.rows[0]!)[0]).toBeGreaterThan(0.6);
  });

  it.each([
    ['words', 'line 2, column site: "north" is not a number, written with a point; --group compares groups'],
    ['gone', 'line 1: there is no column "gone"'],
    ['calm_1', 'line 1: the column "calm_1" is a statement'],
    ['person', 'line 2, column person: "p0" is not a number'],
    ['age,age', '--criteria names a column twice'],
    [',', '--criteria names 1 to 20 columns'],
  ])('refuses %s as a column of numbers', async (column, line) => {
    const file = await write('refused.csv', addGroups());
    const criteria = column === 'words' ? 'site' : column;
    await expect(report({ csv: file, criteria })).rejects.toThrow(line);
  });

  it('claims nothing of parameters that are judged, and shows a retest from 30 people on', async () => {
    const own = { bank: 'tessera', version: itemBank.parameter_version };
    const before = await report(own);
    expect(findSection(before.sections, 'Reliability').tables).toEqual([]);
    expect(findSection(before.sections, 'Norms').missing[0]).toContain('they are judged');
    await insertRetests(29);
    expect(findSection((await report(own)).sections, 'Retest').missing[0]).toContain('29 people');
    await insertRetests(1);
    const { tables, sentences } = findSection((await report(own)).sections, 'Retest');
    expect(sentences[0]).toContain('30 volunteers');
    expect(tables[0]!.rows).toHaveLength(itemBank.traits.length);
    const [, correlation, lower, upper] = tables[0]!.rows[0]!.map((cell) => Number(cell.replace('−', '-')));
    expect(correlation).toBeLessThanOrEqual(1);
    expect(lower).toBeLessThan(upper!);
  });

  it('escapes what a bank says, and writes nothing after a mistake', async () => {
    await importBank(app.platform, {
      file: await write('script.csv', smallBankCsv.replaceAll('calm', 'calm<b>')),
      name: 'script',
    });
    const scripted = await calibrateItems(
      app.platform,
      { bank: 'script', csv: await write('scripted.csv', answers.replaceAll('calm', 'calm<b>')) },
      quiet,
    );
    const { files } = await report({ bank: 'script', version: scripted.version! });
    expect(await readFile(files[0]!, 'utf8')).not.toContain('<b>');
    await expect(report({ version: 'small.1' })).rejects.toThrow('has no version "small.1"');
    await expect(report({ bank: 'unknown' })).rejects.toThrow('does not exist');
    await expect(report({ group: 'site' })).rejects.toThrow('name columns of a file: add --csv');
    await expect(report({ criteria: 'age' })).rejects.toThrow('name columns of a file: add --csv');
    await expect(report({ to: path.join(to, 'nowhere') })).rejects.toThrow('cannot be written to');
  });
});
