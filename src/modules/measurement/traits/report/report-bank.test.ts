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
const answers = simulateAnswers({ people: 400, seed: 5 }).csv;
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
    expect(summariseReport(written).missing).toBe(
      'Materials, Norms, Structure, Invariance, Retest, Validity',
    );
    const grouped = await report({ csv: await write('grouped.csv', addGroups()), group: 'site' });
    const invariance = findSection(grouped.sections, 'Invariance');
    expect(invariance.missing).toEqual([]);
    expect(invariance.sentences[0]).toMatch(/Compared: (north with south|south with north)\. \d+ of 16 /);
    expect(invariance.command).toContain('--csv grouped.csv --group site');
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
    await expect(report({ csv })).rejects.toThrow('--csv and --group belong together');
    await expect(report({ to: path.join(to, 'nowhere') })).rejects.toThrow('cannot be written to');
  });
});
