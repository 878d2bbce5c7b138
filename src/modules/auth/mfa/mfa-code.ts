import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { toCanonicalRecoveryCode } from './recovery-codes.ts';
import { updateLastStep, updateRecoveryCodeUsed, type Authenticator } from './store.ts';
import { findTotpStep } from './totp.ts';

type CodeCheckContext = Pick<Platform, 'secrets'> & { readonly now: () => Date };

/** Encrypts a TOTP secret; it opens for this user alone. */
export function sealSecret({ secrets }: Pick<Platform, 'secrets'>, user_id: string, secret: string): Buffer {
  return secrets.encrypt(`totp:${user_id}`, secret);
}

/** What is kept of a recovery code. */
export function hashRecoveryCode(
  { secrets }: Pick<Platform, 'secrets'>,
  user_id: string,
  code: string,
): Buffer {
  return secrets.computeHmac('recovery-code', `${user_id} ${toCanonicalRecoveryCode(code)}`);
}

/** Whether a code is one of now, and was not taken before; takes it. Hold the user's lock. */
export async function takeTotp(
  { secrets, now }: CodeCheckContext,
  tx: Transaction,
  user_id: string,
  { secret_sealed }: Authenticator,
  code: string,
): Promise<boolean> {
  const step = findTotpStep(secrets.decrypt(`totp:${user_id}`, secret_sealed), code, now());
  return step !== undefined && (await updateLastStep(tx, user_id, step)) === 1;
}

/** Whether a code is one of the user's unused recovery codes; uses it up. */
export async function takeRecoveryCode(
  context: CodeCheckContext,
  tx: Transaction,
  user_id: string,
  code: string,
): Promise<boolean> {
  const code_hash = hashRecoveryCode(context, user_id, code);
  return (await updateRecoveryCodeUsed(tx, { user_id, code_hash, now: context.now() })) === 1;
}
