import { computeSecondsUntil } from '#lib/wait-window.ts';
import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { requireConsent } from '#modules/people/consent';
import { recordAssessmentPhase } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { operation, type Context } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { assessmentStarted } from '../events.ts';
import { chooseLanguage, english } from '../items/languages.ts';
import { listBankLanguages } from '../items/translate-bank.ts';
import {
  deleteUncountedAnswers,
  insertAssessment,
  lockNewestAssessment,
  type Assessment,
  updateLanguage,
} from '../store.ts';
import { toAssessmentWire, assessmentWire, languageInput } from '../wire.ts';
import {
  chooseItem,
  readProgress,
  resolveAskedItem,
  storeAskedItem,
  isBetweenStages,
  type OpenAssessment,
} from './open-assessment.ts';
import { recordResult } from './record-result.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { computeRetake } from './rules.ts';

export const startAssessment = operation({
  name: 'traits.startAssessment',
  summary:
    'Starts the member’s assessment, or resumes it. After the first stage, `deepen` goes on with the optional second one. After a result, `restart` starts a new assessment.',
  who: ['member'],
  input: Type.Object({
    restart: Type.Optional(
      field(
        Type.Boolean(),
        'Starts again, from `retake.available_at` on. The latest result is valid until the new one; answers since then are discarded.',
        false,
      ),
    ),
    language: Type.Optional(languageInput),
    deepen: Type.Optional(
      field(
        Type.Boolean(),
        'Goes on after the first stage, because the member has chosen to. Before its end and afterwards it changes nothing.',
        false,
      ),
    ),
  }),
  output: { 200: assessmentWire },
  refuses: ['consent_required', 'assessment_cooling_off'],
  tools: [
    {
      name: 'next_assessment_item',
      title: 'Get the next assessment item',
      kind: 'write',
      roles: ['member'],
      consent: 'Start your assessment and read its questions',
      isIdempotent: true,
      description:
        'Starts the person’s assessment or resumes it, and returns the progress and the current question as next_item. Ask the question in its exact words with all its options. next_item is null once the first result is there: deepening says what going on would take. Use deepen only if the person then chooses to go on, and restart only if they want to begin again.',
    },
  ],
  run: (context, { restart = false, deepen = false, language }) =>
    context.transaction(async (tx) => {
      const { member_id } = context.caller;
      await requireConsent(tx, member_id, 'assessment_data');
      const newest = await lockNewestAssessment(tx, member_id);
      const resumes = newest && !(restart && newest.completed_at);
      if (newest && !resumes) {
        requireCoolingOff(newest, context.now());
        await deleteUncountedAnswers(tx, newest);
      }
      const preferred = [
        ...(language === undefined ? [] : [language]),
        ...(newest?.language ? [newest.language] : []),
      ];
      const assessment = resumes ? newest : await beginAssessment(context, tx, member_id, preferred);
      if (!newest) {
        await recordAssessmentPhase(context, tx, member_id, 'in_progress');
        await context.queue.emit(tx, assessmentStarted, { member_id, at: context.now().toISOString() });
      }
      const open = await openInLanguage(context, tx, assessment, language);
      if (assessment.stage === 'complete') return toAssessmentWire(open, undefined);
      if (deepen && isBetweenStages(open)) return startDeepening(context, tx, open);
      const next = resolveAskedItem(open);
      await storeAskedItem(tx, open, next);
      return toAssessmentWire(open, next);
    }),
});

/** Opens an assessment. As long as nothing is answered, it can change into another language, so that no assessment is in two. */
async function openInLanguage(
  context: Context<'member'>,
  tx: Transaction,
  assessment: Assessment,
  preferred: string | undefined,
): Promise<OpenAssessment> {
  const progress = await readProgress(tx, assessment);
  const { parameter_version } = assessment;
  const bank = await loadItemBank(context, tx, parameter_version, assessment.language);
  if (preferred === undefined || progress.answers.length > 0) return { assessment, ...progress, bank };
  const language = chooseLanguage([preferred], listBankLanguages(bank));
  if (language === (bank.language ?? english)) return { assessment, ...progress, bank };
  await updateLanguage(tx, assessment, language);
  const translated = await loadItemBank(context, tx, parameter_version, language);
  return { assessment: { ...assessment, language }, ...progress, bank: translated };
}

/** Asks the first item of the deepening. If a new rule has none left to ask, the result is complete as it is. */
async function startDeepening(context: Context<'member'>, tx: Transaction, open: OpenAssessment) {
  const next = chooseItem(open);
  if (next === undefined) {
    const assessment = await recordResult(context, tx, open, { stage: 'complete', next_item_id: null });
    return toAssessmentWire({ ...open, assessment }, undefined);
  }
  await storeAskedItem(tx, open, next);
  return toAssessmentWire(open, next);
}

/** @throws Refusal `assessment_cooling_off` with the date and Retry-After while the last assessment is too recent for another one. */
function requireCoolingOff({ completed_at, ...latest }: Assessment, now: Date): void {
  if (completed_at === null) return;
  const { available_at } = computeRetake({ ...latest, completed_at });
  const wait_s = computeSecondsUntil(available_at, now);
  if (wait_s === 0) return;
  throw new Refusal('assessment_cooling_off', {
    detail: `Another assessment may start from ${available_at.toISOString()} on.`,
    headers: { 'retry-after': String(wait_s) },
  });
}

/** Of two concurrent requests, the second waits for the first and continues with its assessment. */
async function beginAssessment(
  context: Context<'member'>,
  tx: Transaction,
  member_id: string,
  preferred: readonly string[],
): Promise<Assessment> {
  const bank = await loadItemBank(context, tx, await resolveVersionInUse(tx));
  await insertAssessment(tx, {
    id: randomUUID(),
    member_id,
    item_bank_version: bank.version,
    parameter_version: bank.parameter_version,
    language: chooseLanguage(preferred, listBankLanguages(bank)),
    started_at: context.now(),
  });
  const assessment = await lockNewestAssessment(tx, member_id);
  if (!assessment) throw new Error('the new assessment was not found');
  return assessment;
}
