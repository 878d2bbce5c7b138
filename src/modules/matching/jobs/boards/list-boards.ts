import { listOperation } from '#platform/list-operation.ts';
import { boardResource } from './resource.ts';
import { countBoards, listBoards as listStoredBoards } from './store.ts';

export const listBoards = listOperation({
  name: 'jobs.listBoards',
  title: 'List followed boards',
  summary: 'Lists the boards that the caller’s organisation follows, newest first.',
  who: ['org_admin'],
  getOwner: ({ org_id }) => org_id,
  list: listStoredBoards,
  count: countBoards,
  getPlace: ({ created_at, id }) => [created_at.toISOString(), id],
  item: boardResource.wire,
  toItem: boardResource.toWire,
});
