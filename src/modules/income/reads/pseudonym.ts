import type { Services } from '#platform/platform.ts';
import type { DrawFixed } from './making/tiers.ts';

const pseudonym_bytes = 16;

/**
 * Computes the name by which an organisation knows a member in its reads: 128 bits of an HMAC-SHA256 over the id of the organisation and the id by which it
 * knows the member, with a key that follows from the master key alone. So it stays the same when signing keys are rotated, differs for every organisation
 * and every alias, and can neither be computed nor compared without the key. From the member's own id it would join the aliases of one person.
 */
export function computePseudonym(
  { secrets }: Pick<Services, 'secrets'>,
  org_id: string,
  known_as: string,
): string {
  return secrets
    .computeHmac('read-pseudonym', `${org_id} ${known_as}`)
    .subarray(0, pseudonym_bytes)
    .toString('base64url');
}

const shown_letters = 8;

/** Shortens a pseudonym for people: its beginning tells the people of one organisation apart. */
export function formatPseudonym(pseudonym: string): string {
  return pseudonym.slice(0, shown_letters);
}

/** Creates the source of a member's fixed numbers, by which the cuts of the tiers are shifted. They are the same for every organisation. */
export function createFixedDraws({ secrets }: Pick<Services, 'secrets'>, member_id: string): DrawFixed {
  return (label) => secrets.computeHmac('read-tier-cuts', `${member_id} ${label}`).readUInt32BE(0) / 2 ** 32;
}
