import { LRUCache } from 'lru-cache';
import { Type, type Static } from 'typebox';
import { instanceMemory } from '#platform/instance-memory.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { loadBankVersion, type ReadingServices } from '../banks/bank-version.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { findParameterVersion, ownBank } from '../parameters/store.ts';
import { findCalibrationReport } from '../versions/find-calibration-report.ts';
import { buildReport } from './build-report.ts';
import { readRetests } from './read-retests.ts';
import type { ReportDocument } from './report-document.ts';

const texts = Type.Array(Type.String());

const reportWire = closedObject(
  {
    title: field(Type.String(), 'The title of the report.', 'Technical report of tessera'),
    bank: field(Type.String(), 'The bank of statements.', 'tessera'),
    version: field(
      Type.String(),
      'The version of its parameters, which new assessments use.',
      'mvp20-2.correlated',
    ),
    created_at: field(timestamp, 'When the report was made.', '2026-03-04T14:30:00.000Z'),
    sections: field(
      Type.Array(
        closedObject({
          heading: field(Type.String(), 'What the section is about.', 'Materials'),
          sentences: field(texts, 'What is known.', ['216 statements are asked in 18 scales.']),
          tables: field(
            Type.Array(
              closedObject({
                caption: field(Type.String(), 'What the table shows.', 'Scales'),
                columns: field(texts, 'The names of its columns.', ['Scale', 'Statements']),
                rows: field(Type.Array(texts), 'Its rows, a text for each column.', [['persistence', '12']]),
              }),
            ),
            'The figures.',
          ),
          command: field(
            nullable(Type.String()),
            'The command of the operator that makes these figures again; null if nothing was computed.',
            'items export --bank tessera --version mvp20-2.correlated --json',
          ),
          missing: field(texts, 'What is not known, and how it could be.', [
            'Norms by age, gender or country.',
          ]),
        }),
      ),
      'The sections, in the order of the EFPA model for reviews of tests.',
    ),
  },
  { $id: 'TechnicalReport' },
);

export const readTechnicalReport = operation({
  name: 'traits.readTechnicalReport',
  title: 'Read the technical report of the assessment',
  summary:
    'Returns the technical report of the statements and parameters in use, computed from what this installation has, in the order of the EFPA review model. It names what is not known. Made at most every ten minutes.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: reportWire },
  run: async (context) => toWire(await makeReport(context)),
});

/** Copies the report, whose lists are shared. */
function toWire({ sections, ...report }: ReportDocument): Static<typeof reportWire> {
  return {
    ...report,
    sections: sections.map(({ sentences, tables, missing, ...section }) => ({
      ...section,
      sentences: [...sentences],
      tables: tables.map(({ caption, columns, rows }) => ({
        caption,
        columns: [...columns],
        rows: rows.map((row) => [...row]),
      })),
      missing: [...missing],
    })),
  };
}

const shared_ms = 600_000;

/** A report reads up to 5,000 pairs of tests, so that visitors share one. */
const getReports = instanceMemory(
  () => new LRUCache<string, Promise<ReportDocument>>({ max: 4, ttl: shared_ms }),
);

type Services = ReadingServices & { readonly now: () => Date };

async function makeReport(services: Services): Promise<ReportDocument> {
  const version = await resolveVersionInUse(services.database);
  const reports = getReports(services);
  const made = reports.get(version) ?? computeReport(services, version);
  reports.set(version, made, { noUpdateTTL: true });
  made.catch(() => reports.delete(version));
  return made;
}

async function computeReport(services: Services, used: string): Promise<ReportDocument> {
  const { database } = services;
  const bank = (await findParameterVersion(database, used))?.bank ?? ownBank;
  const version = await loadBankVersion(services, { bank, version: used });
  return buildReport({
    ...version,
    traits: await findCalibrationReport(database, bank, used),
    compared: undefined,
    respondents_of_file: undefined,
    report_command: `items report --bank ${bank} --csv FILE --criteria COLUMNS`,
    compare_command: '',
    retests: await readRetests(services, version),
    now: services.now(),
  });
}
