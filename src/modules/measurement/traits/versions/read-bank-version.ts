import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable } from '#platform/schema.ts';
import type { ItemReport, TraitReport } from '../calibration/calibrate-bank.ts';
import { agreementScale, type GradedItem } from '../items/item.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import { languagesField } from '../wire.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { ownBank } from '../parameters/store.ts';
import type { BankVersion } from '../banks/bank-version.ts';
import { findCalibrationReport } from './find-calibration-report.ts';
import { requireVersion } from './require-version.ts';
import { versionInputs } from './version-inputs.ts';

const count = Type.Integer({ minimum: 0 });

const statementWire = closedObject({
  item_id: field(Type.String(), 'The id of the statement.', 'persistence_01'),
  text: field(Type.String(), 'What members read.', 'I finish what I begin.'),
  status: field(
    Type.Enum(['asked', 'retired', 'seeded']),
    'Whether it is asked; a retired one is not, and a seeded one counts nothing yet.',
    'asked',
  ),
  reversed: field(Type.Boolean(), 'Whether agreement says little of the trait.', false),
  options: field(Type.Array(Type.String()), 'The options as members see them.', [...agreementScale]),
  discrimination: field(Type.Number(), 'How well it tells people apart.', 1.4),
  thresholds: field(
    Type.Array(Type.Number()),
    'Where the next keyed option becomes more probable than not, in population standard deviations.',
    [-1.6, -0.5, 0.6, 1.7],
  ),
  answers: field(nullable(count), 'The answers of the calibration; null without one.', 812),
  flags: field(Type.Array(Type.Enum(['few_answers', 'weak', 'misfit'])), 'What the calibration flagged.', []),
});

export const readBankVersion = operation({
  name: 'traits.readBankVersion',
  title: 'Read a version of a bank',
  summary:
    'Reads a version of a bank with its scales, and the statements of one scale with their parameters and what the calibration flagged.',
  who: ['platform_admin'],
  input: closedObject({
    ...versionInputs,
    scale: Type.Optional(
      field(
        Type.String({ minLength: 1, maxLength: 100 }),
        'The scale whose statements are listed; the first one if it is not given or not known.',
        'persistence',
      ),
    ),
  }),
  output: {
    200: closedObject({
      bank: field(Type.String(), 'The bank.', 'tessera'),
      version: field(Type.String(), 'The version.', 'mvp20-2.correlated'),
      in_use: field(Type.Boolean(), 'Whether new assessments use it.', true),
      provisional: field(Type.Boolean(), 'Whether too few answers have confirmed it so far.', true),
      respondents: field(count, 'The people whose answers it was estimated from.', 0),
      languages: languagesField,
      scales: field(
        Type.Array(
          closedObject({
            scale: field(Type.String(), 'The scale.', 'persistence'),
            trait: field(nullable(Type.String()), 'The trait that it measures, if any.', 'persistence'),
            statements: field(count, 'Its statements.', 20),
            flagged: field(count, 'Those that the calibration flagged.', 1),
          }),
        ),
        'The scales.',
      ),
      scale: field(Type.String(), 'The scale of the statements below.', 'persistence'),
      statements: field(Type.Array(statementWire), 'The statements of this scale.'),
    }),
  },
  refuses: ['calibration_not_found'],
  run: async (context, { bank, version, scale: asked }) => {
    const { database } = context;
    const stored = await requireVersion(context, { bank, version });
    const reports = indexReports(await findCalibrationReport(database, bank, version));
    const statements = listStatements(stored, reports);
    const map = stored.items.map ?? {};
    const scales = stored.form.scales.map(({ scale, trait }) => {
      const own = statements.filter((each) => each.trait === scale);
      const flagged = own.filter(({ wire }) => wire.flags.length > 0).length;
      return {
        scale,
        trait: map[scale]?.trait ?? (bank === ownBank ? scale : trait),
        statements: own.length,
        flagged,
      };
    });
    const { scale } = scales.find((each) => each.scale === asked) ?? scales[0]!;
    return {
      bank,
      version,
      in_use: version === (await resolveVersionInUse(database)),
      provisional: stored.items.provisional,
      respondents: stored.respondents,
      languages: listBankLanguages(stored.items),
      scales,
      scale,
      statements: statements.filter(({ trait }) => trait === scale).map(({ wire }) => wire),
    };
  },
});

type Reports = ReadonlyMap<string, ItemReport>;

function indexReports(traits: readonly TraitReport[] | undefined): Reports {
  return new Map((traits ?? []).flatMap(({ items }) => items.map((each) => [each.item_id, each])));
}

function listStatements({ items }: BankVersion, reports: Reports) {
  const { graded, retired = [], seeded = [] } = items;
  const listed = { asked: graded, retired, seeded };
  return (['asked', 'seeded', 'retired'] as const).flatMap((status) =>
    listed[status].map((item) => ({
      trait: item.trait,
      wire: toStatement(item, status, reports.get(item.id)),
    })),
  );
}

function toStatement(
  item: GradedItem<string>,
  status: 'asked' | 'retired' | 'seeded',
  report: ItemReport | undefined,
) {
  const { id, text, reversed = false, options = agreementScale, discrimination, thresholds } = item;
  return {
    item_id: id,
    text,
    status,
    reversed,
    options: [...options],
    discrimination,
    thresholds: [...thresholds],
    answers: report?.answers ?? null,
    flags: [...(report?.flags ?? [])],
  };
}
