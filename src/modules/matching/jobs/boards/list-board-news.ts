import { Type } from 'typebox';
import { listOperation } from '#platform/list-operation.ts';
import { closedObject, field, timestamp, uuid } from '#platform/schema.ts';
import { draftPostings } from '../postings/build-drafts.ts';
import { draftWire } from '../postings/draft-reply.ts';
import { newsKinds } from './rules.ts';
import { countNews, listNews, type Place } from './store.ts';

const newsWire = closedObject(
  {
    id: field(uuid, 'The id of the news.', '7d1f5c0a-3b52-4f0e-8a6d-9c2e4b7f1a35'),
    board_id: uuid,
    news: field(
      Type.Enum(newsKinds),
      '`new`: no job has the `external_ref` of the posting; create one from the draft. `changed`: `draft.job` has what differs. `gone`: the posting is no longer published, and the job is open; close it or put the news aside.',
      'changed',
    ),
    found_at: field(timestamp, 'When a reading found it.', '2026-03-02T04:17:00.000Z'),
    draft: draftWire,
  },
  { $id: 'BoardNews' },
);

export const listBoardNews = listOperation({
  name: 'jobs.listBoardNews',
  title: 'List the news of followed boards',
  summary:
    'Lists what the followed boards say and the jobs of the organisation do not, newest first: new jobs as drafts, differences, and jobs whose postings have gone. News ends when its job is created, changed or closed, and is looked for again at the next reading.',
  who: ['org_admin'],
  getOwner: ({ org_id }) => org_id,
  list: async (db, org_id, after: Place | undefined, limit) => {
    const news = await listNews(db, org_id, after, limit);
    const drafts = await draftPostings(
      db,
      org_id,
      news.map(({ posting }) => posting),
    );
    return news.map((each, index) => ({ ...each, draft: drafts[index]! }));
  },
  count: countNews,
  getPlace: ({ found_at, id }): Place => [found_at.toISOString(), id],
  item: newsWire,
  toItem: ({ id, board_id, news, found_at, draft }) => ({
    id,
    board_id,
    news,
    found_at: found_at.toISOString(),
    draft,
  }),
});
