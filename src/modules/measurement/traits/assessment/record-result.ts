import { recordAssessmentPhase } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { stageEnded, traitsMeasured } from '../events.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import {
  countAnswers,
  deletePreliminaryVectors,
  findNextVersion,
  type Assessment,
  insertVector,
} from '../store.ts';
import type { OpenAssessment } from './open-assessment.ts';
import type { Services } from '#platform/platform.ts';
import { lockUsesShared } from '../parameters/store.ts';
import type { ItemBank } from '../items/bank.ts';
import type { Answer } from '../items/item.ts';
import { findListedVersion } from '../rescoring/store.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';

/**
 * Records the result of all answers so far as the member's trait vector. Before the assessment is complete, it is preliminary, and the
 * next result replaces it.
 *
 * @returns the assessment with this result.
 */
export async function recordResult(
  context: Context<'member'>,
  tx: Transaction,
  { assessment, answers, bank }: OpenAssessment,
  {
    stage,
    next_item_id,
  }: { readonly stage: Exclude<AssessmentStage, 'first'>; readonly next_item_id: string | null },
): Promise<Assessment> {
  const { member_id } = assessment;
  const now = context.now();
  const { quality_flags } = measureAnswers(answers, bank);
  await countAnswers(tx, assessment, { stage, flags: quality_flags, now, next_item_id });
  const version = await findNextVersion(tx, member_id);
  await deletePreliminaryVectors(tx, member_id);
  await measureAssessment(context, tx, assessment, {
    answers,
    bank,
    version,
    stage: stage === 'deepening' && assessment.stage === 'first' ? 'first' : stage,
  });
  await recordAssessmentPhase(context, tx, member_id, 'complete');
  await context.queue.emit(tx, traitsMeasured, { member_id });
  await context.queue.emit(tx, stageEnded, { member_id, at: now.toISOString() });
  return { ...assessment, stage, counted_answers: answers.length, completed_at: now, quality_flags };
}

/**
 * Measures the answers of an assessment with the parameters that it started with, and also with those that all lists use and those that
 * stored answers are being scored with, if they are others. Each measurement becomes a version of the member's vector; the version that
 * lists use is the last one. Versions of other banks cannot measure the answers. `version` is the first of the vectors. The caller must hold the lock on the member's assessment.
 */
async function measureAssessment(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  assessment: Assessment,
  {
    answers,
    bank: own,
    version: first,
    stage,
  }: {
    readonly answers: readonly Answer[];
    readonly bank: ItemBank;
    readonly version: number;
    readonly stage: AssessmentStage;
  },
): Promise<void> {
  await lockUsesShared(tx);
  const listed = (await findListedVersion(tx)) ?? own.parameter_version;
  const versions = new Set([own.parameter_version, await resolveVersionInUse(tx)]);
  versions.delete(listed);
  const banks = [];
  for (const version of [...versions, listed])
    banks.push(await loadItemBank(services, tx, version, assessment.language));
  const canMeasure = (bank: ItemBank) => bank.name === own.name;
  for (const [place, bank] of banks.filter(canMeasure).entries()) {
    const result = { version: first + place, stage, now: services.now() };
    await insertVector(tx, assessment, result, measureAnswers(answers, bank));
  }
}
