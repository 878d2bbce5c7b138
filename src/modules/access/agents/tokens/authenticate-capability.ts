import { LRUCache } from 'lru-cache';
import type { LoggedInCaller } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { findCallerRefusal } from '#modules/access/accounts';
import { findLiveGrant, noteGrantUse, type LiveGrant } from '../grants/find-live-grant.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { verifyCapability, type VerifiedCapability } from './verify-capability.ts';

const remembered_max = 10_000;
const remembered_ms = 60_000;

/** Verified capability tokens by Authorization header, as in `auth/sessions/authenticate-caller.ts`. */
const verifiedCapabilities = instanceMemory((platform) => {
  const tokens = new LRUCache<string, VerifiedCapability>({ max: remembered_max });
  platform.keys.onChange(() => tokens.clear());
  return tokens;
});

/** A caller for whom an agent acts. */
export type AgentCaller = LoggedInCaller & { readonly grant: NonNullable<LoggedInCaller['grant']> };

/**
 * Authenticates an agent by the capability token of an Authorization header. The signature is verified once a minute. That the grant is alive, and
 * what it allows, is looked up with every call, by its primary key: whatever a person revokes ends with the next call.
 *
 * @throws Refusal `token_invalid`, `token_expired`.
 */
export async function authenticateCapability(
  platform: Platform,
  authorization: string,
): Promise<AgentCaller> {
  const { capability, outcome } = await findCapability(platform, authorization);
  if (platform.now().getTime() >= capability.expires_at_ms)
    return refuse(platform, new Refusal('token_expired'));
  const grant = await findLiveGrant(platform, platform.database, capability.grant_id);
  if (!grant || grant.user_id !== capability.user_id || grant.client_id !== capability.client_id)
    return refuse(
      platform,
      new Refusal('token_invalid', { detail: 'What this token was allowed to do has ended. Connect again.' }),
    );
  const caller = toCaller(capability, grant);
  const refusal = findCallerRefusal(platform, caller);
  if (refusal) return refuse(platform, refusal);
  platform.metrics.countToken(outcome);
  await noteGrantUse(platform, grant);
  return caller;
}

async function findCapability(platform: Platform, authorization: string) {
  const known = verifiedCapabilities(platform).get(authorization);
  if (known && Math.abs(platform.now().getTime() - known.verified_at_ms) < remembered_ms)
    return { capability: known, outcome: 'hit' as const };
  const capability = await verifyCapability(platform, authorization).catch((error: unknown) => {
    if (error instanceof Refusal && error.status < 500) platform.metrics.countToken('refused');
    throw error;
  });
  verifiedCapabilities(platform).set(authorization, capability);
  return { capability, outcome: 'miss' as const };
}

function refuse({ metrics }: Platform, refusal: Refusal): never {
  metrics.countToken('refused');
  throw refusal;
}

/** The tools are those that both the token and the grant have: a tool that was taken from the grant is gone from all of its tokens. */
function toCaller({ tools, client_id }: VerifiedCapability, grant: LiveGrant): AgentCaller {
  const allowed = new Set(grant.tools);
  const session = {
    user_id: grant.user_id,
    session_id: grant.id,
    // An agent has not proved who the person is, so nothing is open to it that requires that.
    authenticated_at: new Date(0),
    grant: {
      grant_id: grant.id,
      client_id,
      tools: new Set(tools.filter((tool) => allowed.has(tool))),
      refused_tools: new Set(grant.refused_tools),
    },
  };
  const { role, member_id, org_id } = grant;
  if (role === 'platform_admin') throw new Refusal('token_invalid');
  // The database requires the member of a member, and the organisation of its users.
  if (role === 'member') return { ...session, role, member_id: member_id! };
  return { ...session, role, org_id: org_id! };
}
