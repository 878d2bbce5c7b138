import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { culturePublished } from './events.ts';
import { questionnaireVersion } from './questionnaire.ts';
import { minimum_respondents, countMissingRespondents } from './rules.ts';
import { computePoints, computeScores } from './score.ts';
import {
  countUnpublished,
  findProfile,
  insertProfile,
  listPoints,
  lockSurvey,
  publishResponses,
  upsertResponse,
  type Survey,
} from './store.ts';
import { removeDraft } from './store-drafts.ts';
import { answersInput, responseWire } from './wire.ts';

export const answerQuestionnaire = operation({
  name: 'culture.answerQuestionnaire',
  title: 'Answer the culture questionnaire',
  summary:
    'Stores the caller’s answers to the culture questionnaire, replaces earlier ones, and deletes the caller’s draft.',
  who: orgRoles,
  input: Type.Object({
    answers: field(answersInput, 'The answers to all items and blocks.'),
    // With it, a client gets a 422 if the questionnaire has changed since the client read it.
    questionnaire_version: Type.Optional(Type.Enum([questionnaireVersion])),
  }),
  output: { 201: responseWire },
  idempotent: true,
  run: ({ transaction, caller, now: clock, queue }, { answers }) =>
    transaction(async (tx) => {
      const survey = { org_id: caller.org_id, questionnaire_version: questionnaireVersion };
      const now = clock();
      await lockSurvey(tx, survey);
      await upsertResponse(tx, survey, { user_id: caller.user_id, points: computePoints(answers), now });
      await removeDraft(tx, caller.user_id);
      const missing = countMissingRespondents(await countUnpublished(tx, survey));
      if (missing === 0) {
        await publishProfile(tx, survey, now);
        await queue.emit(tx, culturePublished, { org_id: caller.org_id });
      }
      const latest = await findProfile(tx, caller.org_id);
      return {
        questionnaire_version: questionnaireVersion,
        answered_at: now.toISOString(),
        profile_version: latest?.version ?? null,
        respondents_missing: missing || minimum_respondents,
      };
    }),
});

/** The audit entry has no actor, and there is none for single answers: the log must not reveal who took part, or in which order. */
async function publishProfile(tx: Transaction, survey: Survey, now: Date): Promise<void> {
  const points = await listPoints(tx, survey);
  const respondents = points.length;
  const profile = { ...computeScores(points), basis: 'measured', respondents, computed_at: now } as const;
  const version = await insertProfile(tx, survey, profile);
  await publishResponses(tx, survey, version);
  await recordAudit(tx, {
    now,
    actor: null,
    action: 'culture.profile_published',
    org_id: survey.org_id,
    detail: { version, respondents },
  });
}
