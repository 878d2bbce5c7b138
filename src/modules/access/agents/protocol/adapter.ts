import { errors, type Adapter } from 'oidc-provider';
import { Refusal } from '#lib/refusal.ts';
import { systemClock } from '#platform/clock.ts';
import type { Platform } from '#platform/platform.ts';
import {
  chooseApplicationType,
  refreshes_per_hour_max,
  repeat_seconds,
  unused_clients_max,
} from '../rules.ts';
import {
  consumeArtifact,
  countRecentTokens,
  deleteArtifact,
  findArtifact,
  insertArtifact,
  upsertArtifact,
  type Artifact,
  type ArtifactKind,
  deleteGrantArtifacts,
} from '../store-artifacts.ts';
import { deleteOldestUnusedClients, findClient, insertClient } from '../store-clients.ts';
import { endGrantOfAgent } from '../grants/end-grant.ts';

const hour_ms = 3_600_000;

const kinds: readonly string[] = [
  'AuthorizationCode',
  'Grant',
  'Interaction',
  'RefreshToken',
] satisfies ArtifactKind[];

/** Creates the functions with which the library stores its artifacts in our tables. */
export function createAdapter(platform: Platform, name: string): Adapter {
  if (name === 'Client') return createClientAdapter(platform);
  if (name === 'ReplayDetection') return createReplayAdapter(platform);
  if (kinds.includes(name)) return createArtifactAdapter(platform, name as ArtifactKind);
  // The library remembers no login: the person's session is that of the console, and is asked for with every request.
  return forgetfulAdapter;
}

const forgetfulAdapter: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

function createArtifactAdapter(platform: Platform, kind: ArtifactKind): Adapter {
  const { database, now } = platform;
  return {
    ...forgetfulAdapter,
    upsert: async (id, { jti: _secret, ...payload }, expires_in_s) => {
      const moment = now();
      await upsertArtifact(
        database,
        { kind, id },
        {
          user_id: payload.accountId ?? null,
          grant_id: payload.grantId ?? (kind === 'Grant' ? id : null),
          payload,
          now: moment,
          expires_at: new Date(moment.getTime() + expires_in_s! * 1000),
        },
      );
    },
    find: async (id) => {
      const moment = now();
      const artifact = await findArtifact(database, { kind, id }, moment);
      if (!artifact) return undefined;
      const isConsumed =
        artifact.consumed_at !== null &&
        !(kind === 'RefreshToken' && (await isLostReply(platform, id, artifact)));
      return {
        ...artifact.payload,
        jti: id,
        ...toLibraryTimes(artifact, moment),
        ...(isConsumed && { consumed: true }),
      };
    },
    consume: async (id) => {
      if (kind === 'RefreshToken') await limitRefreshes(platform, id);
      if (await consumeArtifact(database, { kind, id }, now())) return;
      const used = await findArtifact(database, { kind, id }, now());
      if (kind === 'RefreshToken' && used && (await isLostReply(platform, id, used))) return;
      // Nobody knows which of the two holders is the thief.
      const grant_id = used?.payload['grantId'];
      if (typeof grant_id === 'string') await endGrant(platform, grant_id);
      throw new errors.InvalidGrant('it was used before');
    },
    destroy: async (id) => {
      if (kind === 'Grant') await endGrant(platform, id);
      else await deleteArtifact(database, { kind, id });
    },
    revokeByGrantId: (grant_id) => endGrant(platform, grant_id),
  };
}

/**
 * Whether a used refresh token may be presented again because the reply was lost, or because one client refreshed twice at once: its use was a few
 * seconds ago, and nobody has used its successor, which may not be stored yet. The reply is then the same successor.
 */
async function isLostReply(
  { database, now, secrets }: Platform,
  id: string,
  { consumed_at }: Artifact,
): Promise<boolean> {
  const moment = now();
  if (consumed_at === null || moment.getTime() - consumed_at.getTime() >= repeat_seconds * 1000) return false;
  const key = { kind: 'RefreshToken', id: deriveSuccessorId(secrets, id) } as const;
  return ((await findArtifact(database, key, moment))?.consumed_at ?? null) === null;
}

/** Derives the refresh token that follows another, so that it can be returned again although neither is stored. */
export function deriveSuccessorId(secrets: Platform['secrets'], refresh_token: string): string {
  return secrets.computeHmac('oauth-refresh-successor', refresh_token).toString('base64url');
}

/** Refuses a refresh before it uses up its token, so that the client can repeat it later. */
async function limitRefreshes({ database, now }: Platform, id: string): Promise<void> {
  const since = new Date(now().getTime() - hour_ms);
  const recent = await countRecentTokens(database, id, { since, count_max: refreshes_per_hour_max });
  if (recent === refreshes_per_hour_max)
    throw new Refusal('too_many_requests', { headers: { 'retry-after': '3600' } });
}

/** Remembers the assertions by which clients have proven who they are. The library looks one up before it stores it; storing decides. */
function createReplayAdapter({ database, now }: Platform): Adapter {
  const kind = 'ReplayDetection';
  return {
    ...forgetfulAdapter,
    upsert: async (id, { iss }, expires_in_s) => {
      const moment = now();
      const expires_at = new Date(moment.getTime() + expires_in_s! * 1000);
      const artifact = { payload: { iss }, now: moment, expires_at };
      if (!(await insertArtifact(database, { kind, id }, artifact)))
        throw new errors.InvalidClientAuth('client assertion tokens must only be used once');
    },
    find: async (id) => (await findArtifact(database, { kind, id }, now()))?.payload,
  };
}

/** The library compares with the clock of the system, which in tests is not the clock of the service. */
function toLibraryTimes(
  { created_at, expires_at }: { readonly created_at: Date; readonly expires_at: Date },
  now: Date,
) {
  const toLibraryTime = (time: Date) =>
    Math.floor((systemClock.now().getTime() + time.getTime() - now.getTime()) / 1000);
  return { iat: toLibraryTime(created_at), exp: toLibraryTime(expires_at) };
}

function createClientAdapter(platform: Platform): Adapter {
  const { database, now, secrets } = platform;
  const namePurpose = (id: string) => `oauth-client:${id}`;
  return {
    ...forgetfulAdapter,
    upsert: async (id, payload) => {
      const { client_secret, ...metadata } = payload;
      const secret_sealed =
        client_secret === undefined ? null : secrets.encrypt(namePurpose(id), client_secret);
      await insertClient(database, { id, metadata, secret_sealed }, now());
      await deleteOldestUnusedClients(database, unused_clients_max);
    },
    find: async (id) => {
      const client = await findClient(database, id);
      if (!client) return undefined;
      const { metadata, secret_sealed } = client;
      return {
        ...metadata,
        // Clients that registered earlier were stored with the kind that they had named.
        application_type: chooseApplicationType(metadata['redirect_uris']),
        ...(secret_sealed && { client_secret: secrets.decrypt(namePurpose(id), secret_sealed) }),
      };
    },
  };
}

/**
 * Ends a grant because of what happened in the protocol: a code or a refresh token was used twice, or the client revoked a token. Its tokens
 * are refused from the next call on.
 */
export async function endGrant(platform: Platform, grant_id: string): Promise<void> {
  await platform.database.transaction(async (tx) => {
    await endGrantOfAgent(platform, tx, grant_id);
    await deleteGrantArtifacts(tx, grant_id);
  });
}
