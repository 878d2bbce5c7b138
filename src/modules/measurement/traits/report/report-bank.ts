import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { locateRenderer } from '@tessera/pdf/render-pdf';
import type { ProgressOutput } from '#lib/progress-bar.ts';
import { OperatorError } from '#platform/command-line.ts';
import { renderPdf } from '#platform/pdf/render-pdf.ts';
import type { Platform } from '#platform/platform.ts';
import { loadBankVersion } from '../banks/bank-version.ts';
import { compareGroups, type ComparedItem } from '../banks/compare-groups.ts';
import { findCalibrationReport } from '../versions/find-calibration-report.ts';
import { buildReport } from './build-report.ts';
import type * as Render from './render-bank-report.ts';
import type { ReportDocument } from './report-document.ts';
import { renderReportHtml } from './render-report-html.ts';
import { readRetests } from './read-retests.ts';
import { scoreRespondents } from './score-respondents.ts';

type Input = Readonly<Record<string, string>>;

/** A report, and the files that it was written to. */
export type WrittenReport = ReportDocument & { readonly files: readonly string[] };

/**
 * Writes the technical report of a version of a bank as HTML and as PDF into a folder (`to`), from what the database has about the version, and from a file of
 * answers if it is given (`csv`), with a column of groups (`group`) and columns of numbers that scores are compared with (`criteria`). What is not known is named
 * as missing.
 *
 * @throws OperatorError for an unknown bank or version, a file that cannot be read, or a folder that cannot be written to.
 */
export async function reportBank(
  platform: Pick<Platform, 'database' | 'memory' | 'now'>,
  { to = '.', ...input }: Input,
  output: ProgressOutput = process.stderr,
): Promise<WrittenReport> {
  const columns = readColumns(input);
  const { database } = platform;
  const version = await loadBankVersion(platform, input);
  const report = buildReport({
    ...version,
    traits: await findCalibrationReport(database, version.bank, version.items.parameter_version),
    compared: await compareStatedGroups(platform, input, output),
    report_command: `items report --bank ${version.bank} --version ${version.items.parameter_version} --csv ${path.basename(input['csv'] ?? '')}${columns.length > 0 ? ` --criteria ${columns.join(',')}` : ''}`,
    compare_command: `items compare-groups --bank ${version.bank} --version ${version.items.parameter_version} --csv ${path.basename(input['csv'] ?? '')} --group ${input['group'] ?? ''}`,
    respondents_of_file:
      input['csv'] === undefined
        ? undefined
        : await scoreRespondents(version, { csv: input['csv'], columns }, output),
    retests: await readRetests(platform, version),
    now: platform.now(),
  });
  return { ...report, files: await writeFiles(platform, report, to) };
}

const columns_max = 20;

/** Reads the names of the columns that scores are compared with. @throws OperatorError for columns without a file. */
function readColumns({ csv, group, criteria }: Input): readonly string[] {
  if (csv === undefined && (group !== undefined || criteria !== undefined))
    throw new OperatorError('--group and --criteria name columns of a file: add --csv');
  const columns = (criteria ?? '').split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  if (criteria !== undefined && (columns.length === 0 || columns.length > columns_max))
    throw new OperatorError(`--criteria names 1 to ${columns_max} columns, separated by commas`);
  if (new Set(columns).size < columns.length) throw new OperatorError('--criteria names a column twice');
  return columns;
}

function compareStatedGroups(
  platform: Pick<Platform, 'database' | 'memory'>,
  input: Input,
  output: ProgressOutput,
): Promise<readonly ComparedItem[] | undefined> {
  return input['group'] === undefined ? Promise.resolve(undefined) : compareGroups(platform, input, output);
}

/** Renders both files before it writes the first. */
async function writeFiles(
  platform: Pick<Platform, 'memory'>,
  report: ReportDocument,
  folder: string,
): Promise<readonly string[]> {
  const html = renderReportHtml(report);
  const pdf = await renderPdf(platform, renderBankReport, report);
  const name = path.join(folder, `report-${report.version.replaceAll(/[^\w.-]/g, '_')}`);
  try {
    await writeFile(`${name}.html`, html);
    await writeFile(`${name}.pdf`, pdf);
  } catch (error) {
    throw new OperatorError(`the report cannot be written to ${folder}: ${(error as Error).message}`);
  }
  return [`${name}.html`, `${name}.pdf`];
}

const renderBankReport = locateRenderer<typeof Render.renderBankReport>(
  new URL('render-bank-report.ts', import.meta.url),
  'renderBankReport',
);

/** Says where the report is, and what is missing in it; `--json` prints all of it. */
export function summariseReport({ bank, version, files, sections }: WrittenReport) {
  return {
    bank,
    version,
    files: files.join(', '),
    missing: sections
      .filter(({ missing }) => missing.length > 0)
      .map(({ heading }) => heading)
      .join(', '),
  };
}
