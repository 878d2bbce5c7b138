import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Platform, Services } from '#platform/platform.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import { listRevokedSessions, listSuspendedUsers, type RevokedSession } from './store.ts';

/** What a genuine access token can no longer do, in memory, so that no request waits for the database to learn it. */
type EndedSessions = {
  /** Sessions that were revoked within the lifetime of an access token, with the time; those before it have no token left. */
  readonly sessions: Map<string, number>;
  suspended: ReadonlySet<string>;
};

const refresh_every_ms = 1_000;
/** A revocation becomes visible when its transaction commits, and its time is another node's: how far back each look reaches. */
const overlap_ms = 60_000;
const page_rows = 10_000;
const suspended_max = 100_000;

/** The sessions and users of this service whose tokens are refused. */
export const endedSessions = instanceMemory((): EndedSessions => ({
  sessions: new Map(),
  suspended: new Set(),
}));

/** Refuses the tokens of a session from now on in this process; the others follow at their next look. Call it with `tx.afterCommit`. */
export function recordRevokedSession(
  services: Pick<Services, 'memory'>,
  session_id: string,
  revoked_at: Date,
): void {
  endedSessions(services).sessions.set(session_id, revoked_at.getTime());
}

/** Refuses the tokens of a user from now on in this process, or no longer; the others follow at their next look. Call it with `tx.afterCommit`. */
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
 * Learns of sessions that were revoked, and of users who were suspended, by other processes: everything that still matters at once, and
 * what is new every second. Memory holds some 150 bytes for each session that was ended within the last access-token lifetime.
 *
 * @returns what stops the watching.
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
  // A look that fails is not lost: the next one reaches back just as far.
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

/** The oldest revocation of a session that can still have a token. */
function computeRevocationHorizon({ now, config }: Platform): Date {
  return new Date(now().getTime() - config.token.access_seconds * 1000 - overlap_ms);
}

/** The map is in order of revocation, nearly: a session that is forgotten a moment late does no harm. */
function forgetOldSessions(sessions: Map<string, number>, horizon_ms: number): void {
  for (const [id, revoked_at_ms] of sessions) {
    if (revoked_at_ms >= horizon_ms) return;
    sessions.delete(id);
  }
}
