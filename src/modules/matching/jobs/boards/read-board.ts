import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { uuid } from '#platform/schema.ts';
import { boardResource } from './resource.ts';
import { findBoard } from './store.ts';

export const readBoard = operation({
  name: 'jobs.readBoard',
  title: 'Read how a board is followed',
  summary: 'Reads a followed board: when its jobs were read, and why the last reading failed if it did.',
  who: ['org_admin'],
  input: Type.Object({ board_id: uuid }),
  output: { 200: boardResource.wire },
  etag: true,
  refuses: ['board_not_found'],
  run: async ({ database, caller }, { board_id: id }) => {
    const board = await findBoard(database, { id, org_id: caller.org_id });
    return boardResource.toWire(requireFound(board, 'board_not_found'));
  },
});
