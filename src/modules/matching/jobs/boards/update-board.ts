import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { checkIfMatch } from '#platform/etag.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { boardResource } from './resource.ts';
import { lockBoard, updateBoard as storeBoard } from './store.ts';

export const updateBoard = operation({
  name: 'jobs.updateBoard',
  title: 'Change a followed board',
  summary:
    'Pauses or resumes the daily reading of a board, or says whether jobs whose postings have gone are closed. A resumed board is read within five minutes if its day has passed.',
  who: ['org_admin'],
  input: Type.Object({ board_id: uuid, ...boardResource.changeInput }),
  output: { 200: boardResource.wire },
  etag: true,
  refuses: ['board_not_found'],
  run: (context, { board_id: id, is_active, closes_gone }) =>
    context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      const before = requireFound(await lockBoard(tx, { id, org_id }), 'board_not_found');
      await checkIfMatch(context.request, () => boardResource.toWire(before));
      const isResumed = is_active === true && !before.is_active;
      const after = await storeBoard(tx, {
        ...before,
        ...(is_active !== undefined && { is_active }),
        ...(closes_gone !== undefined && { closes_gone, chosen_by: user_id }),
        ...(isResumed && { failure_count: 0 }),
      });
      const fields = Object.entries({ is_active, closes_gone }).filter(([, value]) => value !== undefined);
      const detail = { board_id: id, fields: fields.map(([name]) => name).join(', ') };
      await recordCallerAudit(context, tx, { action: 'jobs.board_changed', org_id, detail });
      return boardResource.toWire(after);
    }),
});
