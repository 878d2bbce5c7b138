import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { calibrateItems, importBank, scoreAnswers } from '#modules/measurement/traits';
import { readAnswerTable } from '../src/modules/measurement/traits/banks/answer-table.ts';
import { listAnswerRanges, loadBankVersion } from '../src/modules/measurement/traits/banks/bank-version.ts';
import { scorePerson } from '../src/modules/measurement/traits/banks/score-answers.ts';
import { spiFiles } from './lib/answers.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { measureLeast } from './lib/measure.ts';
import { startOwnService } from './lib/own-service.ts';
import { formatMilliseconds, formatRatio } from './lib/report.ts';
import { dataDir, requireData } from './lib/shared-data.ts';

const title = 'Banks of statements';
const ratio_max = 1.5;
const calibration_max_ms = 30_000;
const quiet = { write: () => true };

/** Calibrates the 135 statements of the SPI with the answers of 2,600 people, and compares `items score` with the scoring functions alone. */
export const runBenchmark = requireData(title, async ({ quick }) => {
  await using cleaning = new AsyncDisposableStack();
  const dir = await createTemporaryDirectory(cleaning);
  const service = await startOwnService(cleaning, path.join(dir, 'data'));
  const { platform } = service.app;
  const file = path.join(dir, 'bank.csv');
  await writeFile(file, await buildBankFile());
  await importBank(platform, { file, name: 'spi' });

  const lines = (await readFile(spiFiles.answers, 'utf8')).trim().split('\n');
  let steps = 0;
  const started = performance.now();
  const { version, respondents } = await calibrateItems(
    platform,
    { bank: 'spi', csv: spiFiles.answers },
    { write: () => ++steps > 0 },
  );
  const calibration_ms = performance.now() - started;

  const csv = path.join(dir, 'answers.csv');
  const people = quick ? 50 : 500;
  await writeFile(csv, lines.slice(0, people + 1).join('\n'));
  const input = { bank: 'spi', version: version!, csv };
  const { form, items } = await loadBankVersion(platform, input);
  const table = await readAnswerTable(csv, listAnswerRanges(form));
  const costs = await measureLeast(
    {
      alone: () =>
        measure(async () =>
          table.people.map((person, row) => scorePerson(person, table.listAnswers(row), items)),
        ),
      command: () =>
        measure(async () => {
          for await (const each of scoreAnswers(platform, input, quiet)) JSON.stringify(each);
        }),
    },
    quick ? 2 : 5,
  );
  const ratio = costs.command / costs.alone;
  return {
    title,
    tables: [
      {
        head: ['what', 'measured', 'target'],
        rows: [
          [
            `calibrating ${respondents} x 135, ${steps} steps of progress`,
            formatMilliseconds(calibration_ms),
            '30 s',
          ],
          [`scoring ${people} people, functions alone`, formatMilliseconds(costs.alone), ''],
          ['`items score` compared with that', formatRatio(ratio), '1.50×'],
        ],
      },
    ],
    notes: [],
    failures: [
      ...(ratio > ratio_max ? ['`items score` takes more than 1.5 times the scoring functions alone'] : []),
      ...(calibration_ms > calibration_max_ms ? ['a calibration takes more than 30 s'] : []),
    ],
  };
});

async function buildBankFile(): Promise<string> {
  const rows: readonly Readonly<Record<string, string>>[] = parse(
    await readFile(path.join(dataDir, 'spi/spi-items.csv')),
    { columns: true },
  );
  return stringify(
    rows.map(({ item_id, scale, sign, text }) => ({ item_id, scale, sign, options: 6, 'text:en': text })),
    { header: true },
  );
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
