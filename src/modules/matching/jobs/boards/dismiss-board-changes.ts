import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { recordDismissal } from './store.ts';

export const dismissBoardChanges = operation({
  name: 'jobs.dismissBoardChanges',
  title: 'Put a change of a board aside',
  summary:
    'Puts a change of a followed board aside. It comes back when the posting changes. A job whose posting has gone then stays open.',
  who: ['org_admin'],
  input: Type.Object({ change_id: uuid }),
  output: { 204: null },
  refuses: ['board_changes_not_found'],
  run: (context, { change_id: id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      const { board_id } = requireFound(await recordDismissal(tx, { id, org_id }), 'board_changes_not_found');
      await recordCallerAudit(context, tx, { action: 'jobs.change_dismissed', org_id, detail: { board_id } });
      return null;
    }),
});
