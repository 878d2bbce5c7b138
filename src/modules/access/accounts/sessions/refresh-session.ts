import { Type } from 'typebox';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { judgeRefreshToken } from '../rules.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { accessTokenWire } from '../wire.ts';
import { hasSuspendedOrganisation } from './closed-account.ts';
import { signAccessToken, type SigningContext } from './access-token.ts';
import type { IssuedSession } from './issue-session.ts';
import { createRefreshToken, readRefreshTokenHash, requireOwnOrigin } from './refresh-cookie.ts';
import {
  insertRefreshToken,
  lockRefreshToken,
  markRefreshTokenUsed,
  revokeSession,
  recordSessionUse,
  type LockedRefreshToken,
} from './store.ts';
import { recordRevokedSession } from './watch-sessions.ts';

export const refreshSession = operation({
  name: 'accounts.refreshSession',
  summary:
    'Exchanges the refresh cookie for a new access token and a new cookie. A second use of an old cookie ends the session.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: accessTokenWire },
  refuses: ['refresh_token_invalid', 'account_suspended', 'organisation_suspended', 'origin_not_allowed'],
  cookies: { reads: 'refresh_token', sets: ['refresh_token'] },
  run: async (context) => {
    requireOwnOrigin(context.config, context.request);
    const token_hash = readRefreshTokenHash(context.request);
    if (!token_hash) throw new Refusal('refresh_token_invalid');
    const outcome = await context.transaction((tx) => rotateOrEndSession(context, tx, token_hash));
    // Thrown after the commit: inside the transaction, the refusal would roll back the end of the session.
    if (outcome.verdict === 'suspended') throw new Refusal('account_suspended');
    if (outcome.verdict === 'organisation_suspended') throw new Refusal('organisation_suspended');
    if (outcome.verdict !== 'rotate') throw new Refusal('refresh_token_invalid');
    return reply(200, outcome.issued.tokens, [outcome.issued.cookie]);
  },
});

type Outcome =
  | { readonly verdict: 'rotate'; readonly issued: IssuedSession }
  | { readonly verdict: 'reused' | 'invalid' | 'suspended' | 'organisation_suspended' };

async function rotateOrEndSession(
  context: Context<never>,
  tx: Transaction,
  token_hash: Buffer,
): Promise<Outcome> {
  const token = await lockRefreshToken(tx, token_hash);
  if (token === undefined) return { verdict: 'invalid' };
  const verdict = judgeRefreshToken(token, context.now());
  if (verdict === 'rotate')
    return { verdict, issued: await rotateRefreshToken(context, tx, token, token_hash) };
  if (verdict === 'reused') await endStolenSession(context, tx, token);
  // A suspension of the organisation has ended the session. Its former holder learns why.
  if (verdict === 'invalid' && (await hasSuspendedOrganisation(tx, token)))
    return { verdict: 'organisation_suspended' };
  return { verdict };
}

/** Ends a session whose refresh token was used twice. Either holder may be the thief, so the audit entry names no actor. */
async function endStolenSession(
  context: Context<never>,
  tx: Transaction,
  token: LockedRefreshToken,
): Promise<void> {
  const now = context.now();
  tx.afterCommit(() => recordRevokedSession(context, token.session_id, now));
  await revokeSession(tx, token.session_id, now);
  await recordAudit(tx, {
    now,
    actor: null,
    action: 'auth.session_reuse_detected',
    ...buildAuditSubject(token),
    detail: { user_id: token.id, session_id: token.session_id },
  });
}

async function rotateRefreshToken(
  context: SigningContext,
  tx: Transaction,
  user: LockedRefreshToken,
  old_hash: Buffer,
): Promise<IssuedSession> {
  const now = context.now();
  const { session_id, authenticated_at } = user;
  const { cookie, token_hash, expires_at } = createRefreshToken(context.config, now);
  await markRefreshTokenUsed(tx, old_hash, now);
  await insertRefreshToken(tx, { token_hash, session_id, issued_at: now, expires_at });
  await recordSessionUse(tx, session_id, now, expires_at);
  return { tokens: signAccessToken(context, user, { id: session_id, authenticated_at }), cookie };
}
