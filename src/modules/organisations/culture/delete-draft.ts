import { orgRoles } from '#lib/caller.ts';
import { operation } from '#platform/operation.ts';
import { removeDraft } from './store-drafts.ts';

export const deleteDraft = operation({
  name: 'culture.deleteDraft',
  title: 'Delete your unsent answers',
  summary: 'Deletes the caller’s answers to the culture questionnaire that are saved and not sent.',
  who: orgRoles,
  output: { 204: null },
  run: ({ transaction, caller: { user_id } }) =>
    transaction(async (tx) => {
      await removeDraft(tx, user_id);
      return null;
    }),
});
