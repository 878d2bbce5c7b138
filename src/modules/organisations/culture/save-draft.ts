import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { field } from '#platform/schema.ts';
import { questionnaireVersion } from './questionnaire.ts';
import { computeDraftHorizon } from './rules.ts';
import { mergeDraft } from './store-drafts.ts';
import { draftWire, partialAnswersInput, toDraftWire } from './wire-drafts.ts';

export const saveDraft = operation({
  name: 'culture.saveDraft',
  title: 'Save answers before sending them',
  summary:
    'Saves some of the caller’s answers to the culture questionnaire and keeps the others, so that the questionnaire can be continued on another device. Nothing is sent: no profile contains them.',
  who: orgRoles,
  input: Type.Object({
    answers: field(partialAnswersInput, 'The answers to save; those to other items and blocks stay.'),
    questionnaire_version: Type.Optional(Type.Enum([questionnaireVersion])),
  }),
  output: { 200: draftWire },
  run: ({ transaction, caller: { user_id }, now: clock }, { answers }) =>
    transaction(async (tx) => {
      const now = clock();
      const since = computeDraftHorizon(now);
      return toDraftWire(
        await mergeDraft(tx, { user_id, questionnaire_version: questionnaireVersion, since }, answers, now),
      );
    }),
});
