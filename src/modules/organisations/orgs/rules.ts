import { createBodyRefusal, createFieldRefusal } from '#lib/refusal.ts';
import {
  organisationResource,
  type Organisation,
  type OrganisationPatch,
  type ProfileField,
} from './resource.ts';

const { changeableFields } = organisationResource;

/**
 * Applies a change to an organisation.
 *
 * @throws Refusal `field_invalid` for a change without fields.
 */
export function applyPatch(organisation: Organisation, patch: OrganisationPatch): Organisation {
  const changes = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (changes.length === 0) {
    const reason = `must have at least one of ${changeableFields.join(', ')}`;
    throw createBodyRefusal(reason);
  }
  const trimmed = changes.map(
    ([field, value]) => [field, typeof value === 'string' ? value.trim() : value] as const,
  );
  return { ...organisation, ...Object.fromEntries(trimmed) };
}

/** Checks the website of an organisation. @throws Refusal `field_invalid` if it is not safe to link to. */
export function checkWebsite({ website }: Pick<OrganisationPatch, 'website'>): void {
  if (typeof website !== 'string' || isWebsite(website)) return;
  const reason = 'must be an https URL with a public host name and without user information';
  throw createFieldRefusal('field_invalid', '/website', reason);
}

/** The names of the fields that differ. */
export function listChangedFields(before: Organisation, after: Organisation): readonly ProfileField[] {
  return changeableFields.filter((field) => before[field] !== after[field]);
}

/**
 * Whether an address is safe to show as a link: https only, without user information, which readers can mistake for the host, and with a
 * host name that has a dot and is not an IP address.
 */
function isWebsite(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return protocol === 'https:' && username === '' && password === '' && /\.[a-z][a-z0-9-]*$/.test(hostname);
}
