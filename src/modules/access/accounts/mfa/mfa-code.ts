import type { Transaction } from '#platform/database/database.ts';
import { readWorldTime } from '#platform/clock.ts';
import type { Services } from '#platform/platform.ts';
import { toCanonicalRecoveryCode } from './recovery-codes.ts';
import { updateLastStep, markRecoveryCodeUsed, type Authenticator } from './store.ts';
import { findTotpStep } from './totp.ts';

type CodeCheckContext = Pick<Services, 'now' | 'secrets' | 'testClock'>;

/** Encrypts a TOTP secret, so that it can be decrypted only for this user. */
export function sealSecret({ secrets }: Pick<Services, 'secrets'>, user_id: string, secret: string): Buffer {
  return secrets.encrypt(`totp:${user_id}`, secret);
}

export function hashRecoveryCode(
  { secrets }: Pick<Services, 'secrets'>,
  user_id: string,
  code: string,
): Buffer {
  return secrets.computeHmac('recovery-code', `${user_id} ${toCanonicalRecoveryCode(code)}`);
}

/** Whether a code is valid now and was not used before. Marks it as used. The caller must hold the user's lock. */
export async function consumeTotp(
  context: CodeCheckContext,
  tx: Transaction,
  user_id: string,
  { secret_sealed }: Authenticator,
  code: string,
): Promise<boolean> {
  const secret = context.secrets.decrypt(`totp:${user_id}`, secret_sealed);
  const step = findTotpStep(secret, code, readWorldTime(context));
  return step !== undefined && (await updateLastStep(tx, user_id, step)) === 1;
}

/** Whether a code is one of the user's unused recovery codes. Marks it as used. */
export async function consumeRecoveryCode(
  context: CodeCheckContext,
  tx: Transaction,
  user_id: string,
  code: string,
): Promise<boolean> {
  const code_hash = hashRecoveryCode(context, user_id, code);
  return (await markRecoveryCodeUsed(tx, { user_id, code_hash, now: context.now() })) === 1;
}
