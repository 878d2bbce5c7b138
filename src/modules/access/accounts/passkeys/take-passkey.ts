import { recordAudit } from '#modules/operations/audit';
import type { Transaction } from '#platform/database/database.ts';
import type { Context } from '#platform/operation.ts';
import { runLimitedGuess } from '../guess-limits.ts';
import { buildAuditSubject } from '../audit-subject.ts';
import { lockUser, type LockedUser } from '../store.ts';
import { consumeChallenge, type ChallengeUse } from './challenge.ts';
import type { Passkey } from './resource.ts';
import { isCountPlausible } from './rules.ts';
import { findPasskey, lockPasskey, updatePasskeyUse } from './store.ts';
import { verifyUse, type VerifiedUse } from './verify-passkey.ts';
import type { UsedPasskey } from './wire.ts';

/**
 * Takes a passkey as the proof of who somebody is, and continues in the same transaction with its user, who is locked. Wrong passkeys count
 * like wrong passwords.
 *
 * @returns undefined if it proves nothing: it is unknown, belongs to another user, or its signature or its count of signatures is wrong.
 * @throws Refusal `passkey_challenge_invalid`, `too_many_requests`, and what `proceed` throws.
 */
export function takePasskey<Result>(
  context: Context<never>,
  passkey: UsedPasskey,
  use: ChallengeUse,
  proceed: (tx: Transaction, user: LockedUser) => Promise<Result>,
): Promise<Result | undefined> {
  const { address } = context.request;
  const attempt = async () => {
    const known = await findPasskey(context.database, Buffer.from(passkey.id, 'base64url'));
    if (!known || (use.user_id !== null && known.user_id !== use.user_id)) return undefined;
    const verified = await verifyUse(context, known, passkey, use);
    return verified && context.transaction((tx) => recordUse(context, tx, known, verified, proceed));
  };
  const guess = { what: 'passkey', account: passkey.id, user_id: use.user_id ?? undefined, address } as const;
  return runLimitedGuess(context, guess, attempt, (result) => result !== undefined);
}

async function recordUse<Result>(
  context: Context<never>,
  tx: Transaction,
  known: Passkey,
  { challenge, sign_count, synced }: VerifiedUse,
  proceed: (tx: Transaction, user: LockedUser) => Promise<Result>,
): Promise<Result | undefined> {
  const user = await lockUser(tx, known.user_id);
  const current = await lockPasskey(tx, known);
  if (!user || !current) return undefined;
  await consumeChallenge(tx, challenge);
  const { id } = current;
  if (!isCountPlausible(current.sign_count, sign_count)) {
    await recordAudit(tx, {
      now: context.now(),
      actor: null,
      action: 'auth.passkey_copy_suspected',
      ...buildAuditSubject(user),
      detail: { user_id: user.id, passkey_id: id },
    });
    return undefined;
  }
  await updatePasskeyUse(tx, { id, sign_count, synced, now: context.now() });
  return proceed(tx, user);
}
