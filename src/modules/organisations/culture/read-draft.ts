import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { questionnaireVersion } from './questionnaire.ts';
import { computeDraftHorizon } from './rules.ts';
import { findDraft } from './store-drafts.ts';
import { draftWire, toDraftWire } from './wire-drafts.ts';

export const readDraft = operation({
  name: 'culture.readDraft',
  title: 'Read your unsent answers',
  summary:
    'Reads the caller’s own answers to the culture questionnaire that are saved and not sent. Nobody else can read them.',
  who: orgRoles,
  output: { 200: draftWire },
  run: async ({ database, caller: { user_id }, now }) =>
    toDraftWire(
      await findDraft(database, {
        user_id,
        questionnaire_version: questionnaireVersion,
        since: computeDraftHorizon(now()),
      }),
    ),
});
