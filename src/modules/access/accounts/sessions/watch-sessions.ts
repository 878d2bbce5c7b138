import { listRemainingMembers } from '#modules/people/members';
import { listSuspendedOrganisations } from '#modules/organisations/orgs';
import type { Config } from '#platform/config.ts';
import { readChanges, type ChangeMark } from '#platform/database/change-log.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { listSessionEndings, listSuspendedUsers } from './store.ts';

/** Revocations of access tokens, held in memory so that no request waits for the database. */
type EndedSessions = {
  /** The sessions that ended within the lifetime of an access token, with the time by the database's clock. Tokens of earlier ones have expired. */
  readonly sessions: Map<string, number>;
  /** How far the clock of the database is ahead of this process. */
  database_ahead_ms: number;
  suspended: ReadonlySet<string>;
  suspended_organisations: ReadonlySet<string>;
};

const refresh_every_ms = 1_000;
/** How much longer than the life of an access token an end is remembered, because the clocks of the processes that sign tokens differ. */
const skew_s_max = 3_600;
const suspended_max = 100_000;

/** The sessions and users whose tokens this service refuses. */
export const endedSessions = instanceMemory((): EndedSessions => ({
  sessions: new Map(),
  database_ahead_ms: 0,
  suspended: new Set(),
  suspended_organisations: new Set(),
}));

/** Makes this process refuse the tokens of a session. Other processes follow at their next refresh. Call this with `tx.afterCommit`. */
export function recordRevokedSession(
  services: Pick<Services, 'memory'>,
  session_id: string,
  revoked_at: Date,
): void {
  const { sessions, database_ahead_ms } = endedSessions(services);
  sessions.set(session_id, revoked_at.getTime() + database_ahead_ms);
}

/** Makes this process refuse the tokens of sessions once the transaction that ends them commits. Other processes follow at their next refresh. */
export function recordRevokedSessions(
  services: Pick<Services, 'memory'>,
  tx: Transaction,
  session_ids: readonly string[],
  revoked_at: Date,
): void {
  tx.afterCommit(() => {
    for (const id of session_ids) recordRevokedSession(services, id, revoked_at);
  });
}

/** Makes this process refuse or accept the tokens of a user. Other processes follow at their next refresh. Call this with `tx.afterCommit`. */
export function recordUserSuspension(
  services: Pick<Services, 'memory'>,
  user_id: string,
  is_suspended: boolean,
): void {
  const ended = endedSessions(services);
  ended.suspended = changeSet(ended.suspended, user_id, is_suspended);
}

/** Makes this process refuse or accept the tokens of the users of an organisation. Other processes follow at their next refresh. Call this with `tx.afterCommit`. */
export function recordOrganisationSuspension(
  services: Pick<Services, 'memory'>,
  org_id: string,
  is_suspended: boolean,
): void {
  const ended = endedSessions(services);
  ended.suspended_organisations = changeSet(ended.suspended_organisations, org_id, is_suspended);
}

function changeSet(set: ReadonlySet<string>, id: string, has: boolean): ReadonlySet<string> {
  const others = [...set].filter((each) => each !== id);
  return new Set(has ? [...others, id] : others);
}

/**
 * Reads the sessions that other processes ended, and the users and organisations that they suspended: all relevant ones at first, then the new ones every
 * second, in the order of the database's transactions and without any clock. Uses about 150 bytes of memory for each session that ended
 * within the last access-token lifetime.
 *
 * @returns a function that stops the watch.
 */
export async function watchSessions(platform: Platform): Promise<() => void> {
  let since: ChangeMark | undefined;
  let refreshing = false;
  const refresh = async () => {
    refreshing = true;
    try {
      since = await refreshEndedSessions(platform, since);
    } catch (error) {
      // The database may return as a replica that lacks the last transactions, and then gives their numbers to others.
      since = undefined;
      throw error;
    } finally {
      refreshing = false;
    }
  };
  await refresh();
  const timer = setInterval(() => {
    if (!refreshing) refresh().catch(() => undefined);
  }, refresh_every_ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** @returns the mark from which the next refresh reads. */
async function refreshEndedSessions(platform: Platform, since: ChangeMark | undefined): Promise<ChangeMark> {
  const { database, now, config } = platform;
  const ended = endedSessions(platform);
  const asked_ms = now().getTime();
  const { mark, database_now } = await readChanges(database, listSessionEndings, since, (page) => {
    for (const { id, at } of page) ended.sessions.set(id, at.getTime());
  });
  ended.database_ahead_ms = database_now.getTime() - asked_ms;
  forgetOldSessions(ended.sessions, database_now.getTime() - computeMemorySeconds(config) * 1000);
  await refreshSuspensions(platform);
  return mark;
}

/** Reads who is suspended. What this process has changed in the meantime stays, because what was read may be older. The next refresh reads it. */
async function refreshSuspensions(platform: Platform): Promise<void> {
  const { database, now, config } = platform;
  const ended = endedSessions(platform);
  const { suspended, suspended_organisations } = ended;
  const since = new Date(now().getTime() - computeMemorySeconds(config) * 1000);
  const users = await findSuspendedUsers(database, since);
  const organisations = await listSuspendedOrganisations(database, since, suspended_max);
  // A set that is another object by now was changed by this process during the look-up, which may not have seen that change yet.
  if (ended.suspended === suspended) ended.suspended = users;
  if (ended.suspended_organisations === suspended_organisations)
    ended.suspended_organisations = new Set(organisations);
}

/**
 * Finds the users whom the operator has suspended. Accounts that were removed, and those of members who asked to be erased, are closed too, but
 * their tokens are refused because their sessions have ended, on every process and also after the row is deleted.
 */
async function findSuspendedUsers(db: Reader, since: Date): Promise<ReadonlySet<string>> {
  const users = await listSuspendedUsers(db, since, suspended_max);
  const member_ids = users.flatMap(({ member_id }) => member_id ?? []);
  const remaining = member_ids.length > 0 ? await listRemainingMembers(db, member_ids) : new Set<string>();
  const suspended = users.filter(({ member_id }) => member_id === null || remaining.has(member_id));
  return new Set(suspended.map(({ id }) => id));
}

/** Computes for how long an ended session can still have an access token that has not expired. */
export function computeMemorySeconds({ token }: Pick<Config, 'token'>): number {
  return token.access_seconds + skew_s_max;
}

/** Stops at the first recent session. The map is almost in order of their ends, and removing a session late is harmless. */
function forgetOldSessions(sessions: Map<string, number>, horizon_ms: number): void {
  for (const [id, ended_at_ms] of sessions) {
    if (ended_at_ms >= horizon_ms) return;
    sessions.delete(id);
  }
}
