import { nil_uuid } from '#lib/nil-uuid.ts';
import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { findListedVersion } from '#modules/matching/matches';
import { identityAttributes, type IdentityAttribute } from '#modules/people/self-identification';
import type { Reader } from '#platform/database/database.ts';
import { task } from '#platform/queue/task.ts';
import {
  addToCensus,
  createCensus,
  hasEnoughNewcomers,
  isLookPossible,
  measureGroups,
  type Census,
} from './rules.ts';
import {
  addCounted,
  findLook,
  listStatedMembers,
  listUnstatedMembers,
  replaceLook,
  type ListedMember,
} from './store.ts';

const members_per_page = 500;
const members_max = 20_000;

/**
 * Adds up the traits of groups of members at most once a month, from at most 20,000 who have said something about themselves and as many others. All previews of all organisations are computed from this, so that no number of requests
 * tells more than it.
 */
export const lookAtMembers = task({
  name: 'impact.lookAtMembers',
  // The next night replaces a retry.
  retry_seconds: [],
  every: '41 3 * * *',
  run: async ({ database, now, signal }) => {
    const before = await findLook(database);
    if (!isLookPossible(before, now())) return;
    const census = await countMembers(database, signal);
    if (!hasEnoughNewcomers(before, census)) return;
    const { version = null } = await findListedVersion(database);
    const { look, marks } = measureGroups(census, before, { now: now(), version });
    await database.transaction((tx) => replaceLook(tx, look, { before: before?.looked_at, marks }));
  },
});

type ListPage = (db: Reader, after: string, limit: number) => Promise<readonly ListedMember[]>;

/** Those who have said something about themselves, and the others. */
const lists: readonly ListPage[] = [
  listStatedMembers,
  async (db, after, limit) =>
    (await listUnstatedMembers(db, after, limit)).map((member) => ({ ...member, ...nothingStated })),
];

const nothingStated = Object.fromEntries(identityAttributes.map((attribute) => [attribute, null])) as Record<
  IdentityAttribute,
  null
>;

async function countMembers(db: Reader, signal: AbortSignal): Promise<Census> {
  const census = createCensus();
  const endLongTurn = createTurnEnder();
  for (const list of lists) {
    let after: string | undefined = nil_uuid;
    for (let read = 0; after !== undefined && read < members_max; read += members_per_page) {
      signal.throwIfAborted();
      const members: readonly ListedMember[] = await list(db, after, members_per_page);
      for (const member of await addCounted(db, members)) {
        await endLongTurn();
        addToCensus(census, member);
      }
      after = members.at(-1)?.member_id;
    }
  }
  return census;
}
