import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { lockUsesShared } from '../parameters/store.ts';
import type { Answer } from '../items/item.ts';
import { measureAnswers } from '../measurement/measure-answers.ts';
import type { AssessmentStage } from '../measurement/stages.ts';
import { findListedVersion } from '../rescoring/store.ts';
import { insertVector, type Assessment } from '../store.ts';
import { loadItemBank, resolveVersionInUse } from '../parameters/parameters-in-use.ts';

/**
 * Measures the answers of an assessment with the parameters that it started with, and also with those that all lists use and those that
 * stored answers are being scored with, if they are others. Each measurement becomes a version of the member's vector; the version that
 * lists use is the last one. `version` is the first of them. The caller must hold the lock on the member's assessment.
 */
export async function measureAssessment(
  services: Pick<Services, 'memory' | 'now'>,
  tx: Transaction,
  assessment: Assessment,
  {
    answers,
    version: first,
    stage,
  }: { readonly answers: readonly Answer[]; readonly version: number; readonly stage: AssessmentStage },
): Promise<void> {
  await lockUsesShared(tx);
  const own = assessment.parameter_version;
  const listed = (await findListedVersion(tx)) ?? own;
  const versions = new Set([own, await resolveVersionInUse(tx)]);
  versions.delete(listed);
  for (const [place, parameter_version] of [...versions, listed].entries()) {
    const bank = await loadItemBank(services, tx, parameter_version);
    const result = { version: first + place, stage, now: services.now() };
    await insertVector(tx, assessment, result, measureAnswers(answers, bank));
  }
}
