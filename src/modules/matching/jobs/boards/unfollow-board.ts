import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { deleteBoard, lockBoard } from './store.ts';

export const unfollowBoard = operation({
  name: 'jobs.unfollowBoard',
  title: 'Stop following a board',
  summary: 'Stops following a board, and deletes what was read there. Jobs stay as they are.',
  who: ['org_admin'],
  input: Type.Object({ board_id: uuid }),
  output: { 204: null },
  refuses: ['board_not_found'],
  run: (context, { board_id: id }) =>
    context.transaction(async (tx) => {
      const { org_id } = context.caller;
      requireFound(await lockBoard(tx, { id, org_id }), 'board_not_found');
      await deleteBoard(tx, id);
      const detail = { board_id: id };
      await recordCallerAudit(context, tx, { action: 'jobs.board_unfollowed', org_id, detail });
      return null;
    }),
});
