import type { Static } from 'typebox';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { listJobsByReference } from '../store.ts';
import { listTemplates } from '../templates/store.ts';
import { buildDraft } from './draft-job.ts';
import { postings_max, toDraftWire, type draftWire, type importReply } from './draft-reply.ts';
import type { Posting } from './job-posting.ts';

/** Makes drafts of the first postings. Those that a job of the organisation has the reference of are compared with it. */
export async function buildDrafts(
  { database, caller }: Pick<Context<'org_admin'>, 'database' | 'caller'>,
  postings: readonly Posting[],
): Promise<Static<typeof importReply>> {
  const drafts = await buildPostingDrafts(database, caller.org_id, postings.slice(0, postings_max));
  return { drafts, left_out: postings.length - drafts.length };
}

/** Makes a draft of each posting, in their order. */
export async function buildPostingDrafts(
  db: Reader,
  org_id: string,
  postings: readonly Posting[],
): Promise<Static<typeof draftWire>[]> {
  const references = postings.flatMap(({ reference }) => reference ?? []);
  const [templates, jobs] = await Promise.all([
    listTemplates(db),
    listJobsByReference(db, org_id, references),
  ]);
  const endLongTurn = createTurnEnder();
  const drafts = [];
  for (const posting of postings) {
    await endLongTurn();
    const job = posting.reference === undefined ? undefined : jobs.get(posting.reference);
    drafts.push(toDraftWire(buildDraft(posting, templates), job));
  }
  return drafts;
}
