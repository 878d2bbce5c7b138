import { Type } from 'typebox';
import { listOperation } from '#platform/list-operation.ts';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { buildPostingDrafts } from '../postings/build-drafts.ts';
import { draftWire } from '../postings/draft-reply.ts';
import { changeKinds } from './rules.ts';
import { countChanges, listChanges, type Place } from './store.ts';

const changeWire = closedObject(
  {
    id: field(uuid, 'The id of the change.', '7d1f5c0a-3b52-4f0e-8a6d-9c2e4b7f1a35'),
    board_id: uuid,
    change: field(
      Type.Enum(changeKinds),
      '`new`: no job has the `external_ref` of the posting; create one from the draft. `changed`: `draft.job` has what differs. `gone`: the posting is no longer published, and the job is open; close it or put the change aside.',
      'changed',
    ),
    found_at: field(timestamp, 'When a reading found it.', '2026-03-02T04:17:00.000Z'),
    draft: draftWire,
  },
  { $id: 'BoardChanges' },
);

export const listBoardChanges = listOperation({
  name: 'jobs.listBoardChanges',
  title: 'List the changes of followed boards',
  summary:
    'Lists what the followed boards say and the jobs of the organisation do not, newest first: new jobs as drafts, differences, and jobs whose postings have gone. A change ends when its job is created, changed or closed, and is looked for again at the next reading.',
  who: ['org_admin'],
  getOwner: ({ org_id }) => org_id,
  list: async (db, org_id, after: Place | undefined, limit) => {
    const changes = await listChanges(db, org_id, after, limit);
    const drafts = await buildPostingDrafts(
      db,
      org_id,
      changes.map(({ posting }) => posting),
    );
    return changes.map((each, index) => ({ ...each, draft: drafts[index]! }));
  },
  count: countChanges,
  getPlace: ({ found_at, id }): Place => [found_at.toISOString(), id],
  item: changeWire,
  toItem: ({ id, board_id, change, found_at, draft }) => ({
    id,
    board_id,
    change,
    found_at: found_at.toISOString(),
    draft,
  }),
});
