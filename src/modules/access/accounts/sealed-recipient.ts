import type { Services } from '#platform/platform.ts';

/** Who gets an email about an account, as the account was at the time of the change. */
export type SealedRecipient = {
  readonly email: string;
  readonly name?: string | undefined;
  /** A sentence of the email that names others. */
  readonly about?: string | undefined;
  /** Whether nobody has proven that the address is the account's. */
  readonly unproven?: boolean;
};

type Purpose = 'notice' | 'deletion-notice';

/** Encrypts a recipient for the data of a task, because the queue stores finished tasks for a while. */
export function sealRecipient(
  { secrets }: Pick<Services, 'secrets'>,
  purpose: Purpose,
  recipient: SealedRecipient,
): string {
  return secrets.encrypt(purpose, JSON.stringify(recipient)).toString('base64');
}

/** Decrypts what {@link sealRecipient} encrypted for the same purpose. */
export function openRecipient(
  { secrets }: Pick<Services, 'secrets'>,
  purpose: Purpose,
  sealed: string,
): SealedRecipient {
  return JSON.parse(secrets.decrypt(purpose, Buffer.from(sealed, 'base64'))) as SealedRecipient;
}
