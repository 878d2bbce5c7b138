import { randomUUID } from 'node:crypto';
import { isOrgRole } from '#lib/caller.ts';
import { requireOpenOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import { mayComeFrom, refuseOperatorNetwork } from '#platform/limits/operator-networks.ts';
import type { Cookie, RequestFacts } from '#platform/operation.ts';
import type { Services } from '#platform/platform.ts';
import type { User } from '../store.ts';
import type { AccessTokenWire } from '../wire.ts';
import { signAccessToken, type SigningContext } from './access-token.ts';
import { createRefreshToken } from './refresh-cookie.ts';
import { recordLogin, mfaFactors, type Factor } from './record-login.ts';
import { computeSessionEnd, sessions_max } from './session-end.ts';
import { insertRefreshToken, insertSession, revokeExcessSessions } from './store.ts';
import { recordRevokedSessions } from './watch-sessions.ts';

type IssuingContext = SigningContext &
  Pick<Services, 'queue' | 'secrets' | 'memory'> & {
    readonly request: Pick<RequestFacts, 'address' | 'user_agent'>;
  };

/** The token fields of a reply, and the cookie with the refresh token. */
export type IssuedSession = { readonly tokens: AccessTokenWire; readonly cookie: Cookie };

/**
 * Starts a session for a user who has proven their identity, and issues its tokens. Every login ends here, so that none gets past a suspension
 * of the user's organisation, and each is in the audit log.
 *
 * @param factor What the user has proven. Undefined for an account that is created now, which has an entry of its own.
 * @throws Refusal `organisation_suspended` or `network_not_allowed`.
 */
export async function issueSession(
  context: IssuingContext,
  tx: Transaction,
  user: Pick<User, 'id' | 'role' | 'linked_entity_id' | 'created_at'>,
  factor?: Factor,
): Promise<IssuedSession> {
  if (isOrgRole(user.role) && user.linked_entity_id !== null)
    await requireOpenOrganisation(tx, user.linked_entity_id);
  if (!mayComeFrom(context.config, user.role, context.request.address)) throw refuseOperatorNetwork();
  if (factor !== undefined) await recordLogin(context, tx, user, factor);
  const now = context.now();
  const ends_at = computeSessionEnd(context.config, now);
  const by_mfa = factor !== undefined && mfaFactors.has(factor);
  const { address, user_agent } = context.request;
  const id = randomUUID();
  const { cookie, token_hash, expires_at } = createRefreshToken(context.config, { now, ends_at });
  const user_id = user.id;
  await insertSession(tx, { id, user_id, created_at: now, expires_at, address, user_agent, by_mfa });
  await insertRefreshToken(tx, { token_hash, session_id: id, issued_at: now, expires_at });
  const ended = await revokeExcessSessions(tx, { id, user_id, kept: sessions_max, now });
  recordRevokedSessions(context, tx, ended, now);
  const tokens = signAccessToken(context, user, { id, authenticated_at: now, ends_at, by_mfa });
  return { tokens, cookie };
}
