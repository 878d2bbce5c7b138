import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { questionnaireVersion } from './questionnaire.ts';
import { countUnpublished, findAnswerTime } from './store.ts';
import { toQuestionnaireWire, questionnaireWire } from './wire.ts';

export const readQuestionnaire = operation({
  name: 'culture.readQuestionnaire',
  title: 'Read the culture questionnaire',
  summary: 'Reads the culture questionnaire, and how many more users must answer it.',
  who: orgRoles,
  output: { 200: questionnaireWire },
  run: async ({ database, caller: { org_id, user_id } }) =>
    toQuestionnaireWire(
      await countUnpublished(database, { org_id, questionnaire_version: questionnaireVersion }),
      await findAnswerTime(database, user_id, questionnaireVersion),
    ),
});
