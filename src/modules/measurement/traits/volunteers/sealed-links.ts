import type { Services } from '#platform/platform.ts';
import { decryptText } from '../mirror/sealed-mirror.ts';
import { isLinkValid } from './rules.ts';

/** A link in an email to a volunteer: it confirms the address, or begins the second test. */
export type VolunteerLink = {
  readonly kind: 'confirmation' | 'invitation';
  readonly id: string;
  readonly email: string;
  /** When it was made, in milliseconds since 1970. */
  readonly made_ms: number;
};

/** The longest link. */
export const link_characters_max = 1_000;

const purpose = 'volunteer-link';

/** Encrypts a link, for the data of a task and for the email. */
export function sealVolunteerLink({ secrets }: Pick<Services, 'secrets'>, link: VolunteerLink): string {
  return secrets.encrypt(purpose, JSON.stringify(link)).toString('base64url');
}

/** Decrypts a link of a kind, however old; undefined if this service has not made it. */
export function openVolunteerLink(
  services: Pick<Services, 'secrets'>,
  kind: VolunteerLink['kind'],
  sealed: string,
): VolunteerLink | undefined {
  const text = decryptText(services, purpose, sealed);
  if (text === undefined) return undefined;
  const link = JSON.parse(text) as VolunteerLink;
  return link.kind === kind ? link : undefined;
}

/** Decrypts a link of a kind; undefined if this service has not made it, or it no longer works. */
export function openValidLink(
  services: Pick<Services, 'secrets' | 'now'>,
  kind: VolunteerLink['kind'],
  sealed: string,
): VolunteerLink | undefined {
  const link = openVolunteerLink(services, kind, sealed);
  return link && isLinkValid(kind, link.made_ms, services.now()) ? link : undefined;
}

const address_purpose = 'volunteer-address';

/** Encrypts the address that gets an invitation. */
export function sealAddress({ secrets }: Pick<Services, 'secrets'>, email: string): string {
  return secrets.encrypt(address_purpose, email).toString('base64url');
}

/** Decrypts what {@link sealAddress} encrypted. */
export function openAddress({ secrets }: Pick<Services, 'secrets'>, sealed: string): string {
  return secrets.decrypt(address_purpose, Buffer.from(sealed, 'base64url'));
}
