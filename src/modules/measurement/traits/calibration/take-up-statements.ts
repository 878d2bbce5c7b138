import { createProgressBar, type ProgressOutput } from '#lib/progress-bar.ts';
import { recordAudit } from '#modules/operations/audit';
import { OperatorError } from '#platform/command-line.ts';
import type { Platform } from '#platform/platform.ts';
import { readAnswerTable } from '../banks/answer-table.ts';
import {
  buildFormVersion,
  buildParameterVersion,
  listAnswerRanges,
  loadBankVersion,
  type BankVersion,
} from '../banks/bank-version.ts';
import { listCompatibleForms } from '../banks/compatible-forms.ts';
import { insertForm } from '../banks/store.ts';
import { listParameters, type BankParameters, type ItemBank } from '../items/bank.ts';
import { findOwnLanguage } from '../items/bank-form.ts';
import type { Answer, GradedItem } from '../items/item.ts';
import { english } from '../items/languages.ts';
import { insertParameterVersion } from '../parameters/store.ts';
import { collectPublicAnswers } from '../volunteers/collect-public-answers.ts';
import { itemLimits, type ItemReport } from './calibrate-bank.ts';
import { calibratePart, fewest_anchors, moveOntoScale } from './move-onto-scale.ts';
import { requireRespondents, respondentLimits } from './respondents.ts';
import { sampleEvenly } from './trait-correlations.ts';

/** A new statement as it was calibrated, on the scale of the others. */
type CalibratedSeed = ItemReport & {
  readonly scale: string;
  /** How many statements of the scale it was calibrated against. */
  readonly anchors: number;
};

type TakenUp = {
  readonly bank: string;
  /** The version in which the chosen statements count; null if none was chosen. */
  readonly version: string | null;
  readonly is_new: boolean;
  readonly respondents: number;
  readonly statements: readonly CalibratedSeed[];
  readonly taken_up: readonly string[];
};

/**
 * Calibrates the new statements of a version against those that it knows, whose parameters stay: all are estimated from the same answers, and each scale is
 * put onto that of the version by the known ones (Stocking and Lord 1983). With `statements`, those are taken up: a new version asks and counts them.
 *
 * @throws OperatorError for an unknown bank, version or statement, too few respondents, or a statement with too few answers.
 */
export async function takeUpStatements(
  platform: Pick<Platform, 'database' | 'memory' | 'now'>,
  input: Readonly<Record<string, string>>,
  output: ProgressOutput = process.stderr,
): Promise<TakenUp> {
  const version = await loadBankVersion(platform, input);
  const { bank, items } = version;
  if (!items.seeded || items.seeded.length === 0)
    throw new OperatorError(`the version of "${bank}" has no new statements; "items seed" adds them`);
  const ids = readChosenIds(input['statements'], items);
  const answerSets = await collectAnswers(platform, version, input);
  requireRespondents(answerSets.length);
  const statements = calibrateSeeds(items, sampleEvenly(answerSets, respondentLimits.most), output);
  const chosen = statements.filter(({ item_id }) => ids.includes(item_id));
  for (const each of chosen) requireAnswered(each);
  const result = {
    bank,
    respondents: answerSets.length,
    statements,
    taken_up: chosen.map(({ item_id }) => item_id),
  };
  if (chosen.length === 0) return { ...result, version: null, is_new: false };
  return { ...result, ...(await storeTakenUp(platform, version, chosen)) };
}

async function collectAnswers(
  platform: Pick<Platform, 'database'>,
  { bank, form, items }: BankVersion,
  { csv, answers }: Readonly<Record<string, string>>,
): Promise<readonly (readonly Answer[])[]> {
  if ((csv === undefined) === (answers === undefined) || (answers !== undefined && answers !== 'public'))
    throw new OperatorError('name one source of answers: --csv <file> or --answers public');
  // Only answers in the language of the parameters can be put onto their scale.
  const languages = { wanted: items.language ?? english, own: findOwnLanguage(form) };
  if (csv === undefined) {
    const versions = await listCompatibleForms(platform.database, bank, form);
    const ids = form.statements.map(({ item_id }) => item_id);
    return (await collectPublicAnswers(platform, { versions, item_ids: ids }, languages)).answerSets;
  }
  const { people, languages: read, listAnswers } = await readAnswerTable(csv, listAnswerRanges(form));
  const rows = [...people.keys()].filter((row) => (read[row] || languages.own) === languages.wanted);
  return rows.map((row) => listAnswers(row)).filter(({ length }) => length > 0);
}

function calibrateSeeds(
  items: ItemBank<string>,
  answerSets: readonly (readonly Answer[])[],
  output: ProgressOutput,
): readonly CalibratedSeed[] {
  const drawProgress = createProgressBar('calibrating', output);
  const seeded = items.seeded!.map((item): GradedItem<string> => ({ ...item, weight: 1 }));
  const scales = new Set(seeded.map(({ trait }) => trait));
  const graded = [...items.graded, ...seeded].filter(({ trait }) => scales.has(trait));
  const traits = calibratePart(items, graded, answerSets, (share) =>
    drawProgress(Math.floor(share * 1000), 1000),
  );
  return traits.flatMap(({ trait, items: reports }) => moveSeeds(items, trait, reports));
}

/** Puts the new statements of a scale onto the scale of the known ones, of which those with enough answers are the anchors. */
function moveSeeds(
  { itemsById, seeded }: ItemBank<string>,
  scale: string,
  reports: readonly ItemReport[],
): readonly CalibratedSeed[] {
  const ids = new Set(seeded!.map(({ id }) => id));
  const isNew = ({ item_id }: ItemReport) => ids.has(item_id);
  if (!reports.some(isNew)) return [];
  const { moved, anchors } = moveOntoScale(reports, isNew, itemsById);
  if (anchors < fewest_anchors)
    throw new OperatorError(
      `the scale "${scale}" has ${anchors} known statements with ${itemLimits.fewest_answers} answers, but ${fewest_anchors} are needed`,
    );
  return moved.map((each) => ({ ...each, scale, anchors }));
}

/** Reads which statements the operator takes up, before anything is computed. @throws OperatorError for one that is not new. */
function readChosenIds(text: string | undefined, { seeded = [] }: ItemBank<string>): readonly string[] {
  const ids = [...new Set((text ?? '').split(/[\s,]+/).filter((id) => id !== ''))];
  const unknown = ids.find((each) => !seeded.some(({ id }) => id === each));
  if (unknown !== undefined)
    throw new OperatorError(`"${unknown.slice(0, 40)}" is no new statement of this version`);
  return ids;
}

/** @throws OperatorError for a statement with too few answers. */
function requireAnswered({ item_id, answers, flags }: CalibratedSeed): void {
  if (flags.includes('few_answers'))
    throw new OperatorError(
      `${item_id} has ${answers} answers, but ${itemLimits.fewest_answers} are needed to take it up`,
    );
}

async function storeTakenUp(
  platform: Pick<Platform, 'database' | 'now'>,
  { bank, form, items, respondents, norms }: BankVersion,
  chosen: readonly CalibratedSeed[],
): Promise<Pick<TakenUp, 'version' | 'is_new'>> {
  const ids = new Set(chosen.map(({ item_id }) => item_id));
  const statements = form.statements.map((each) => {
    if (!ids.has(each.item_id)) return each;
    const { seeded: _, ...asked } = each;
    return asked;
  });
  const taken = { ...form, statements };
  const form_version = buildFormVersion(bank, taken);
  const { name: _, decisions: __, ...undecided } = items;
  const parameters = addParameters(listParameters(undecided), chosen);
  const version = buildParameterVersion(form_version, parameters);
  const now = platform.now();
  const is_new = await platform.database.transaction(async (tx) => {
    await insertForm(tx, { bank, form_version, form: taken, now });
    const isNew = await insertParameterVersion(tx, {
      bank,
      version,
      item_bank_version: form_version,
      provisional: items.provisional,
      base_version: null,
      parameters,
      respondents,
      report: { norms, seeded_from: items.parameter_version, taken_up: chosen },
      created_at: now,
    });
    const detail = { bank, version, statements: ids.size };
    if (isNew) await recordAudit(tx, { now, actor: null, action: 'items.taken_up', detail });
    return isNew;
  });
  return { version, is_new };
}

function addParameters(parameters: BankParameters, chosen: readonly CalibratedSeed[]): BankParameters {
  const added = chosen.map(
    ({ item_id, discrimination, thresholds, standard_errors }) =>
      [item_id, { discrimination, thresholds, standard_errors }] as const,
  );
  return { ...parameters, items: { ...parameters.items, ...Object.fromEntries(added) } };
}
