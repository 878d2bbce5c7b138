import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { readFollowed } from './read-followed.ts';
import { boardResource } from './resource.ts';

export const readBoardNow = operation({
  name: 'jobs.readBoardNow',
  title: 'Read a followed board now',
  summary:
    'Reads a followed board at once, paused or not. If it cannot be read, last_fault of the reply says why; this is not counted as a failure of the day.',
  who: ['org_admin'],
  input: Type.Object({ board_id: uuid }),
  output: { 200: boardResource.wire },
  refuses: ['board_not_found'],
  run: async (context, { board_id: id }) => {
    const { org_id } = context.caller;
    const board = await readFollowed(context, { id, org_id }, false);
    return boardResource.toWire(requireFound(board, 'board_not_found'));
  },
});
