import { Refusal } from '#lib/refusal.ts';
import type { Services } from '#platform/platform.ts';
import type { registerableRoles } from '../rules.ts';

/** An account that somebody has asked for. It travels encrypted in an email, and the service stores nothing of it. */
export type Registration = {
  readonly email: string;
  readonly role: (typeof registerableRoles)[number];
  readonly name: string | undefined;
  /** In milliseconds since 1970. */
  readonly asked_for_ms: number;
};

/** How long the link in the email works. */
export const registration_hours = 24;

/** The longest text of a link: an address and a name, each character of at most four bytes. */
export const sealed_characters_max = 3_000;

const purpose = 'registration';

/** Encrypts a registration, for the data of a task and for the email. Anyone who has it has proven that the mailbox is theirs. */
export function sealRegistration(
  { secrets }: Pick<Services, 'secrets'>,
  { email, role, name, asked_for_ms }: Registration,
): string {
  return secrets.encrypt(purpose, JSON.stringify({ email, role, name, asked_for_ms })).toString('base64url');
}

/**
 * Decrypts a registration.
 *
 * @throws Refusal `registration_link_invalid` for a text that this service has not made, and after a day.
 */
export function openRegistration(
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  sealed: string,
): Registration {
  const registration = decrypt({ secrets }, sealed);
  const age_ms = now().getTime() - (registration?.asked_for_ms ?? 0);
  if (!registration || age_ms > registration_hours * 3_600_000)
    throw new Refusal('registration_link_invalid');
  return registration;
}

function decrypt({ secrets }: Pick<Services, 'secrets'>, sealed: string): Registration | undefined {
  try {
    return JSON.parse(secrets.decrypt(purpose, Buffer.from(sealed, 'base64url'))) as Registration;
  } catch {
    return undefined;
  }
}
