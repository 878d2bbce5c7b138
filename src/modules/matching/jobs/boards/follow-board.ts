import { randomUUID } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import { recordCallerAudit } from '#modules/operations/audit';
import { lockOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { fetchPostings } from '../postings/fetch-postings.ts';
import { applyReading } from './apply-reading.ts';
import { planNextReading } from './read-followed.ts';
import { boardResource } from './resource.ts';
import { boards_max } from './rules.ts';
import { countBoards, insertBoard, isFollowedAddress } from './store.ts';

export const followBoard = operation({
  name: 'jobs.followBoard',
  title: 'Follow a board',
  summary:
    'Reads an address as POST /orgs/me/jobs/import/address does, now and then every day. New jobs, differences and jobs whose postings have gone are in GET /orgs/me/board-changes; nothing is created or changed before a person accepts it. An organisation follows at most ten addresses.',
  who: ['org_admin'],
  input: closedObject(boardResource.createInput),
  output: { 201: boardResource.wire },
  location: ({ id }) => `/orgs/me/boards/${id}`,
  refuses: ['organisation_not_found', 'board_limit_reached', 'board_followed'],
  run: async (context, { url, closes_gone = false }) => {
    const postings = await fetchPostings(context, url);
    return context.transaction(async (tx) => {
      const { org_id, user_id } = context.caller;
      if (!(await lockOrganisation(tx, org_id))) throw new Refusal('organisation_not_found');
      if (await isFollowedAddress(tx, org_id, url)) throw new Refusal('board_followed');
      if ((await countBoards(tx, org_id)) >= boards_max) throw new Refusal('board_limit_reached');
      const now = context.now();
      const board = await insertBoard(tx, {
        id: randomUUID(),
        org_id,
        url,
        closes_gone,
        chosen_by: user_id,
        is_active: true,
        failure_count: 0,
        last_fault: null,
        read_at: null,
        posting_count: 0,
        left_out: 0,
        next_read_at: planNextReading(now),
        created_at: now,
      });
      const detail = { board_id: board.id };
      await recordCallerAudit(context, tx, { action: 'jobs.board_followed', org_id, detail });
      return boardResource.toWire(await applyReading(context, tx, { board, postings }));
    });
  },
});
