import { randomUUID } from 'node:crypto';
import { isOrgRole } from '#lib/caller.ts';
import { requireOpenOrganisation } from '#modules/organisations/orgs';
import type { Transaction } from '#platform/database/database.ts';
import type { Cookie, RequestFacts } from '#platform/operation.ts';
import type { User } from '../store.ts';
import type { AccessTokenWire } from '../wire.ts';
import { signAccessToken, type SigningContext } from './access-token.ts';
import { createRefreshToken } from './refresh-cookie.ts';
import { insertRefreshToken, insertSession } from './store.ts';

/** The token fields of a reply, and the cookie with the refresh token. */
export type IssuedSession = { readonly tokens: AccessTokenWire; readonly cookie: Cookie };

/**
 * Starts a session for a user who has proven their identity, and issues its tokens. Every login ends here, so that none gets past a suspension
 * of the user's organisation.
 *
 * @throws Refusal `organisation_suspended`.
 */
export async function issueSession(
  context: SigningContext & { readonly request: Pick<RequestFacts, 'address' | 'user_agent'> },
  tx: Transaction,
  user: Pick<User, 'id' | 'role' | 'linked_entity_id'>,
): Promise<IssuedSession> {
  if (isOrgRole(user.role) && user.linked_entity_id !== null)
    await requireOpenOrganisation(tx, user.linked_entity_id);
  const now = context.now();
  const { address, user_agent } = context.request;
  const session_id = randomUUID();
  const { cookie, token_hash, expires_at } = createRefreshToken(context.config, now);
  await insertSession(tx, {
    id: session_id,
    user_id: user.id,
    created_at: now,
    expires_at,
    address,
    user_agent,
  });
  await insertRefreshToken(tx, { token_hash, session_id, issued_at: now, expires_at });
  return { tokens: signAccessToken(context, user, { id: session_id, authenticated_at: now }), cookie };
}
