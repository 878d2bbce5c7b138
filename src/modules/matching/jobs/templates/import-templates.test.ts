import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isTraitCode } from '#modules/measurement/traits';
import { OperatorError } from '#platform/command-line.ts';
import { startApp } from '#test/harness.ts';
import { importTemplates } from './import-templates.ts';
import { listTemplates } from './store.ts';

const app = await startApp();
const dir = await mkdtemp(path.join(tmpdir(), 'tessera-onet-'));
afterAll(() => rm(dir, { recursive: true, force: true }));

const occupations = [
  ['O*NET-SOC Code', 'Title', 'Description'],
  ['11-1011.00', 'Chief Executives', 'Lead an organisation.'],
  ['29-1141.00', 'Registered Nurses', 'Assess patients and administer nursing care.'],
  ['99-9999.00', 'Unrated', 'Nobody rated it.'],
];
const styles = [
  ['O*NET-SOC Code', 'Element Name', 'Scale ID', 'Data Value', 'Standard Error', 'Recommend Suppress'],
  ['11-1011.00', 'Leadership', 'IM', '4.9', '0.1', 'N'],
  ['11-1011.00', 'Concern for Others', 'IM', '3.5', '0.1', 'N'],
  ['29-1141.00', 'Leadership', 'IM', '3.6', '0.1', 'N'],
  ['29-1141.00', 'Concern for Others', 'IM', '4.8', '0.1', 'N'],
];

const formatRows = (rows: readonly (readonly string[])[]) =>
  rows.map((cells) => cells.join('\t')).join('\r\n');

async function writeFiles(occupationRows = occupations, styleRows = styles): Promise<void> {
  await writeFile(path.join(dir, 'Occupation Data.txt'), formatRows(occupationRows));
  await writeFile(path.join(dir, 'Work Styles.txt'), formatRows(styleRows));
}

test('imports a template for every rated occupation', async () => {
  await writeFiles();
  expect(await importTemplates(app.platform, { dir })).toEqual({ imported: 2 });
  const templates = await listTemplates(app.sql);
  expect(templates.map(({ onet_code, title }) => [onet_code, title])).toEqual([
    ['11-1011.00', 'Chief Executives'],
    ['29-1141.00', 'Registered Nurses'],
  ]);
  expect(templates[1]?.trait_priorities).toMatchObject({ empathic_attunement: expect.any(Number) });
  expect(templates[1]?.trait_priorities).not.toHaveProperty('social_initiative');
});

test('a second import replaces the templates it contains and leaves the others unchanged', async () => {
  await writeFiles();
  await importTemplates(app.platform, { dir });
  const renamed = [['29-1141.00', 'Nurses', 'Care.']];
  await writeFiles([occupations[0]!, ...renamed], [styles[0]!, ...styles.slice(3)]);
  expect(await importTemplates(app.platform, { dir })).toEqual({ imported: 1 });
  const titles = (await listTemplates(app.sql)).map(({ title }) => title);
  expect(titles).toEqual(['Chief Executives', 'Nurses']);
});

test('reports an invalid file to the operator in one line and changes nothing', async () => {
  await writeFiles();
  await importTemplates(app.platform, { dir });
  const before = await listTemplates(app.sql);
  const invalid: readonly [occupations: typeof occupations, styles: typeof occupations, line: RegExp][] = [
    [occupations, [], /Work Styles\.txt, line 1/],
    [[['Title']], styles, /Occupation Data\.txt, line 1, column \d+: the header has no column/],
    [[...occupations, ['1', 'x', 'y']], styles, /line 5, column 1/],
    [[...occupations, occupations[1]!], styles, /11-1011\.00 appears twice/],
    [occupations.slice(0, 2), styles, /29-1141\.00, which is not among the occupations/],
    [occupations, [...styles, styles[1]!], /two ratings/],
    [occupations, styles.slice(0, 1), /no occupation has a work style rating/],
    [[occupations[0]!, ['11-1011.00', 'a\0b', 'c'], occupations[2]!], styles, /NUL/],
  ];
  for (const [rows, ratings, line] of invalid) {
    await writeFiles(rows, ratings);
    await expectOperatorError(importTemplates(app.platform, { dir }), line);
  }
  expect(await listTemplates(app.sql)).toEqual(before);
});

test('reports a missing folder and a missing argument to the operator', async () => {
  await expectOperatorError(
    importTemplates(app.platform, { dir: path.join(dir, 'absent') }),
    /cannot be read \(ENOENT\)/,
  );
  await expectOperatorError(importTemplates(app.platform, {}), /name the folder/);
});

const published = path.join(import.meta.dirname, '../../../../../../shared/data/onet');

test('imports the published database unchanged', async ({ skip }) => {
  if (!existsSync(published))
    skip('the O*NET text database is not beside this checkout (../shared/data/onet)');
  const { imported } = await importTemplates(app.platform, { dir: published });
  expect(imported).toBeGreaterThan(800);
  const templates = await listTemplates(app.sql);
  expect(templates.every(({ trait_priorities }) => Object.keys(trait_priorities).every(isTraitCode))).toBe(
    true,
  );
});

async function expectOperatorError(work: Promise<unknown>, line: RegExp): Promise<void> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OperatorError)) throw new Error('expected an OperatorError');
  expect(error.message).toMatch(line);
  expect(error.message).not.toContain('\n');
}
