import { randomUUID } from 'node:crypto';
import { recordAssessmentPhase } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { assessmentStarted } from '../events.ts';
import { insertAnswer, insertAssessment } from '../store.ts';
import type { LoadedMirror } from './load-mirror.ts';

/**
 * Begins a member's assessment with the answers of a mirror. The caller must have made sure that the member has consented, and has no assessment. The
 * assessment has an id of its own, because one mirror can be kept by two accounts.
 */
export async function insertMirror(
  services: Pick<Services, 'now' | 'queue'>,
  tx: Transaction,
  member_id: string,
  { mirror, bank }: LoadedMirror,
): Promise<void> {
  const { parameter_version, language, answers, asked_ms } = mirror;
  const times = listAnswerTimes(mirror);
  const assessment = { id: randomUUID(), member_id };
  const started_at = new Date(times[0]?.getTime() ?? asked_ms);
  await insertAssessment(tx, {
    ...assessment,
    item_bank_version: bank.version,
    parameter_version,
    language,
    started_at,
  });
  for (const [position, answer] of answers.entries())
    await insertAnswer(tx, assessment, position, {
      ...answer,
      answered_at: times[position]!,
      next_item_id: answers[position + 1]?.item_id ?? null,
    });
  await recordAssessmentPhase(services, tx, member_id, 'in_progress');
  await services.queue.emit(tx, assessmentStarted, { member_id, at: services.now().toISOString() });
}

/** When each answer was given: the last one when the next statement was shown, and each before by how long the next took. */
function listAnswerTimes({ answers, asked_ms }: LoadedMirror['mirror']): readonly Date[] {
  let time_ms = asked_ms;
  return answers
    .toReversed()
    .map(({ response_time_ms }) => {
      const given = new Date(time_ms);
      time_ms -= response_time_ms;
      return given;
    })
    .toReversed();
}
