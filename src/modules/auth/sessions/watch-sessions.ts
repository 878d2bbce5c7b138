import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { listRevokedSessions, listSuspendedUsers, type RevokedSession } from './store.ts';

/** Revocations of access tokens, held in memory so that no request waits for the database. */
type EndedSessions = {
  /** The sessions that were revoked within the lifetime of an access token, with the time. Tokens of earlier ones have expired. */
  readonly sessions: Map<string, number>;
  suspended: ReadonlySet<string>;
};

const refresh_every_ms = 1_000;
/** How far back each refresh reads, because a revocation becomes visible only at its commit, and clocks of nodes differ. */
const overlap_ms = 60_000;
const page_rows = 10_000;
const suspended_max = 100_000;

/** The sessions and users whose tokens this service refuses. */
export const endedSessions = instanceMemory((): EndedSessions => ({
  sessions: new Map(),
  suspended: new Set(),
}));

/** Makes this process refuse the tokens of a session. Other processes follow at their next refresh. Call this with `tx.afterCommit`. */
export function recordRevokedSession(
  services: Pick<Services, 'memory'>,
  session_id: string,
  revoked_at: Date,
): void {
  endedSessions(services).sessions.set(session_id, revoked_at.getTime());
}

/** Makes this process refuse or accept the tokens of a user. Other processes follow at their next refresh. Call this with `tx.afterCommit`. */
export function recordUserSuspension(
  services: Pick<Services, 'memory'>,
  user_id: string,
  is_suspended: boolean,
): void {
  const ended = endedSessions(services);
  const others = [...ended.suspended].filter((id) => id !== user_id);
  ended.suspended = new Set(is_suspended ? [...others, user_id] : others);
}

/**
 * Reads the sessions that other processes revoked and the users that they suspended: all relevant ones at first, then the new ones every
 * second. Uses about 150 bytes of memory for each session that ended within the last access-token lifetime.
 *
 * @returns a function that stops the watch.
 */
export async function watchSessions(platform: Platform): Promise<() => void> {
  let since = computeRevocationHorizon(platform);
  let refreshing = false;
  const refresh = async () => {
    refreshing = true;
    const started_ms = platform.now().getTime();
    await refreshEndedSessions(platform, since).finally(() => {
      refreshing = false;
    });
    since = new Date(started_ms - overlap_ms);
  };
  await refresh();
  // After a failed refresh, the next one reads from the same time.
  const timer = setInterval(() => {
    if (!refreshing) refresh().catch(() => undefined);
  }, refresh_every_ms);
  timer.unref();
  return () => clearInterval(timer);
}

async function refreshEndedSessions(platform: Platform, since: Date): Promise<void> {
  const { database } = platform;
  const ended = endedSessions(platform);
  let after: RevokedSession | undefined = { id: nil_uuid, revoked_at: since };
  while (after !== undefined) {
    const page: RevokedSession[] = await listRevokedSessions(database, after, page_rows);
    for (const { id, revoked_at } of page) ended.sessions.set(id, revoked_at.getTime());
    after = page.length < page_rows ? undefined : page.at(-1);
  }
  ended.suspended = new Set(
    await listSuspendedUsers(database, computeRevocationHorizon(platform), suspended_max),
  );
  forgetOldSessions(ended.sessions, computeRevocationHorizon(platform).getTime());
}

/** Computes the time of the oldest revocation whose session can still have a valid access token. */
function computeRevocationHorizon({ now, config }: Platform): Date {
  return new Date(now().getTime() - config.token.access_seconds * 1000 - overlap_ms);
}

/** Stops at the first recent session. The map is almost in order of revocation, and removing a session late is harmless. */
function forgetOldSessions(sessions: Map<string, number>, horizon_ms: number): void {
  for (const [id, revoked_at_ms] of sessions) {
    if (revoked_at_ms >= horizon_ms) return;
    sessions.delete(id);
  }
}
