import { Type } from 'typebox';
import { recordAudit } from '#modules/audit';
import { Refusal } from '#lib/refusal.ts';
import type { Transaction } from '#platform/database/database.ts';
import { operation, reply, type Context } from '#platform/operation.ts';
import { signAccessToken, type Signing } from './access-token.ts';
import type { Issued } from './issue-session.ts';
import { newRefreshToken, presentedRefreshToken } from './refresh-cookie.ts';
import { refreshVerdict } from '../rules.ts';
import {
  insertRefreshToken,
  lockRefreshToken,
  updateRefreshTokenUsed,
  updateSessionRevoked,
  updateSessionUsed,
  type RefreshTokenInHand,
} from './store.ts';
import { subjectOf } from '../subject.ts';
import { noteRevoked } from './watch-sessions.ts';
import { accessTokenWire } from '../wire.ts';

export const refreshSession = operation({
  name: 'auth.refreshSession',
  summary:
    'Exchanges the refresh cookie for a new access token and a new cookie. A second use of an old one ends the session.',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: accessTokenWire },
  refuses: ['refresh_token_invalid', 'account_suspended'],
  run: async (context) => {
    const token_hash = presentedRefreshToken(context.request);
    if (!token_hash) throw new Refusal('refresh_token_invalid');
    const outcome = await context.transaction((tx) => rotateOrEnd(context, tx, token_hash));
    // The refusal follows the commit: thrown inside, it would roll the end of the session back.
    if (outcome.verdict === 'suspended') throw new Refusal('account_suspended');
    if (outcome.verdict !== 'rotate') throw new Refusal('refresh_token_invalid');
    return reply(200, outcome.issued.tokens, [outcome.issued.cookie]);
  },
});

type Outcome =
  | { readonly verdict: 'rotate'; readonly issued: Issued }
  | { readonly verdict: 'reused' | 'invalid' | 'suspended' };

async function rotateOrEnd(context: Context<never>, tx: Transaction, token_hash: Buffer): Promise<Outcome> {
  const token = await lockRefreshToken(tx, token_hash);
  if (token === undefined) return { verdict: 'invalid' };
  const verdict = refreshVerdict(token, context.now());
  if (verdict === 'rotate') return { verdict, issued: await rotate(context, tx, token, token_hash) };
  if (verdict === 'reused') await endStolen(context, tx, token);
  return { verdict };
}

/** Of two that hold one token, one has stolen it; which one cannot be told. Nobody is named as the actor. */
async function endStolen(context: Context<never>, tx: Transaction, token: RefreshTokenInHand): Promise<void> {
  const now = context.now();
  tx.afterCommit(() => noteRevoked(context, token.session_id, now));
  await updateSessionRevoked(tx, token.session_id, now);
  await recordAudit(tx, {
    now,
    actor_user_id: null,
    action: 'auth.session_reuse_detected',
    ...subjectOf(token),
    detail: { user_id: token.id, session_id: token.session_id },
  });
}

async function rotate(
  context: Signing,
  tx: Transaction,
  user: RefreshTokenInHand,
  old_hash: Buffer,
): Promise<Issued> {
  const now = context.now();
  const { session_id } = user;
  const { cookie, token_hash, expires_at } = newRefreshToken(context.config, now);
  await updateRefreshTokenUsed(tx, old_hash, now);
  await insertRefreshToken(tx, { token_hash, session_id, issued_at: now, expires_at });
  await updateSessionUsed(tx, session_id, now, expires_at);
  return { tokens: signAccessToken(context, user, session_id), cookie };
}
