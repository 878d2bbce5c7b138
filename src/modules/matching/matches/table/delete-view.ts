import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { deleteView as deleteStoredView } from './store.ts';
import { viewId } from './wire.ts';

export const deleteView = operation({
  name: 'matches.deleteView',
  title: 'Delete a view',
  summary: 'Deletes a saved view of the caller’s organisation.',
  who: ['org_admin'],
  input: Type.Object({ view_id: viewId }),
  output: { 204: null },
  refuses: ['view_not_found'],
  run: (context, { view_id }) =>
    context.transaction(async (tx) => {
      if (!(await deleteStoredView(tx, context.caller.org_id, view_id))) throw new Refusal('view_not_found');
      return null;
    }),
});
