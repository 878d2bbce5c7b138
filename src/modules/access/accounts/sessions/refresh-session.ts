import { Type } from 'typebox';
import { hashToken } from '#platform/security/hash-token.ts';
import { Refusal } from '#lib/refusal.ts';
import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { isLostReply, judgeRefreshToken } from '../rules.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { accessTokenWire } from '../wire.ts';
import { hasSuspendedOrganisation } from './closed-account.ts';
import { signAccessToken, type SigningContext } from './access-token.ts';
import type { IssuedSession } from './issue-session.ts';
import { deriveSuccessor, readRefreshToken, requireOwnOrigin } from './refresh-cookie.ts';
import { computeSessionEnd } from './session-end.ts';
import {
  findRefreshToken,
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
    'Exchanges the refresh cookie for a new access token and a new cookie. A repeat within ten seconds gets the same new cookie while nobody has used that; any other second use of an old cookie ends the session.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: accessTokenWire },
  refuses: ['refresh_token_invalid', 'account_suspended', 'organisation_suspended', 'origin_not_allowed'],
  cookies: { reads: 'refresh_token', sets: ['refresh_token'] },
  run: async (context) => {
    requireOwnOrigin(context.config, context.request);
    const refresh_token = readRefreshToken(context.request);
    if (refresh_token === undefined) throw new Refusal('refresh_token_invalid');
    const outcome = await context.transaction((tx) => rotateOrEndSession(context, tx, refresh_token));
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
  refresh_token: string,
): Promise<Outcome> {
  const token = await lockRefreshToken(tx, hashToken(refresh_token));
  if (token === undefined) return { verdict: 'invalid' };
  const verdict = judgeRefreshToken(token, context.now());
  if (verdict === 'rotate' && computeSessionEnd(context.config, token.session_created_at) <= context.now())
    return { verdict: 'invalid' };
  if (verdict === 'rotate')
    return { verdict, issued: await rotateRefreshToken(context, tx, token, refresh_token) };
  if (verdict === 'reused') {
    const issued = await repeatReply(context, tx, token, refresh_token);
    if (issued) return { verdict: 'rotate', issued };
    await endStolenSession(context, tx, token);
  }
  // A suspension of the organisation has ended the session. Its former holder learns why.
  if (verdict === 'invalid' && (await hasSuspendedOrganisation(tx, token)))
    return { verdict: 'organisation_suspended' };
  return { verdict };
}

/** Answers a repeated refresh as the first one. The locked session keeps the successor as it is. */
async function repeatReply(
  context: Context<never>,
  tx: Transaction,
  user: LockedRefreshToken,
  refresh_token: string,
): Promise<IssuedSession | undefined> {
  const now = context.now();
  const ends_at = computeSessionEnd(context.config, user.session_created_at);
  const { cookie, token_hash } = deriveSuccessor(context, refresh_token, { now, ends_at });
  if (!isLostReply(user, await findRefreshToken(tx, token_hash), now)) return undefined;
  return issueTokens(context, user, cookie);
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
  context: Context<never>,
  tx: Transaction,
  user: LockedRefreshToken,
  refresh_token: string,
): Promise<IssuedSession> {
  const now = context.now();
  const { session_id } = user;
  const ends_at = computeSessionEnd(context.config, user.session_created_at);
  const { cookie, token_hash, expires_at } = deriveSuccessor(context, refresh_token, { now, ends_at });
  await markRefreshTokenUsed(tx, hashToken(refresh_token), now);
  await insertRefreshToken(tx, { token_hash, session_id, issued_at: now, expires_at });
  await recordSessionUse(tx, session_id, now, expires_at);
  return issueTokens(context, user, cookie);
}

function issueTokens(
  context: SigningContext,
  user: LockedRefreshToken,
  cookie: IssuedSession['cookie'],
): IssuedSession {
  const { session_id: id, authenticated_at, by_mfa } = user;
  const ends_at = computeSessionEnd(context.config, user.session_created_at);
  return { tokens: signAccessToken(context, user, { id, authenticated_at, ends_at, by_mfa }), cookie };
}
