import { Refusal } from '#lib/refusal.ts';
import { readOutsideValue } from '#lib/outside-values.ts';
import { isEmail } from '#modules/access/accounts';
import { readMailDomain } from '#modules/organisations/orgs';
import { createResponseRefusal, hasAll, type Admission } from '../rules.ts';

/** The OpenID Connect provider that an organisation trusts, and the conditions. */
export type OpenidConfiguration = Admission & {
  readonly enabled: boolean;
  readonly issuer: string;
  readonly client_id: string;
  /** Encrypted. */
  readonly client_secret: Buffer;
  /** In lower case. */
  readonly email_domains: readonly string[];
  /** The claim whose values decide the role; null if every user gets the default role. */
  readonly role_claim: string | null;
  /** The values of the claim that make a user an auditor. */
  readonly auditor_values: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly provider_changed_at: Date;
};

/** Whether a subject of one provider is a subject of the other: only the same issuer, asked by the same client, means the same people by them. */
export function hasSameSubjects(before: OpenidConfiguration, after: OpenidConfiguration): boolean {
  return before.issuer === after.issuer && before.client_id === after.client_id;
}

/** Says whether a configuration trusts somebody, or for somebody, that the earlier one did not: then it is a new provider. */
export function hasWiderOpenidTrust(before: OpenidConfiguration, after: OpenidConfiguration): boolean {
  return (
    !hasSameSubjects(before, after) ||
    !hasAll(before.email_domains, after.email_domains) ||
    (after.enabled && !before.enabled)
  );
}

/** The issuer of everybody's Google account. The claim `hd` says to which organisation one belongs. */
const google = 'https://accounts.google.com';

/** The issuer of the personal accounts of Microsoft, which belong to no organisation. */
const personalAccounts = /^https:\/\/login\.microsoftonline\.com\/9188040d-6c67-4c5b-b112-36a304b66dad\//;

/** Whether the accounts of an issuer belong to no organisation, so that no organisation can answer for them. */
export function isPersonalIssuer(issuer: string): boolean {
  return personalAccounts.test(issuer);
}

/** The claims of a verified ID token, or of the UserInfo endpoint about the same subject. */
export type Claims = Readonly<Record<string, unknown>>;

/** The user who logs in. */
export type ProvenUser = { readonly subject: string; readonly email: string };

/**
 * Reads who logs in. The address counts if its domain is one of the organisation's, which it must have proven (`admit-user.ts`), and if the provider does not say that it is
 * unverified. A provider that says nothing, as Entra ID, is the one that the holder of the domain chose for it, and the holder controls its mailboxes. Google issues
 * tokens for everybody, so there the account must belong to the domain.
 *
 * @throws Refusal `sso_response_refused`, `sso_account_refused`.
 */
export function readUser(claims: Claims, { issuer, email_domains }: OpenidConfiguration): ProvenUser {
  const { sub, email: stated, email_verified, hd } = claims;
  const email = typeof stated === 'string' ? readOutsideValue('email', stated) : '';
  if (typeof sub !== 'string' || sub === '' || sub.length > subject_characters_max)
    throw createResponseRefusal('The ID token has no usable subject.');
  if (!isEmail(email))
    throw createResponseRefusal('The provider must give one email address in the claim "email".');
  // As text from providers that write every claim as text.
  if (email_verified === false || email_verified === 'false')
    throw createResponseRefusal('The provider says that the email address is not verified.');
  const domain = readMailDomain(email);
  if (!email_domains.includes(domain)) throw new Refusal('sso_account_refused');
  if (issuer === google && hd !== domain)
    throw createResponseRefusal('The Google account does not belong to the organisation’s domain.');
  return { subject: sub, email };
}

/** OpenID Connect Core section 2: a subject has at most 255 characters. */
const subject_characters_max = 255;

/** The role that the claims give a user. It is never that of an administrator, whom only an administrator appoints. */
export function selectRole(
  claims: Claims,
  { role_claim, auditor_values, default_role }: OpenidConfiguration,
): OpenidConfiguration['default_role'] {
  if (role_claim === null) return default_role;
  const values = [claims[role_claim]].flat();
  return values.some((value) => typeof value === 'string' && auditor_values.includes(value))
    ? 'auditor'
    : default_role;
}

/** Where the provider sends browsers back to. Each organisation has an address of its own, so that no answer of one provider is taken for another's. */
export function buildRedirectUri(publicUrl: string, org_id: string): string {
  return `${publicUrl}/api/v1/auth/sso/${org_id}/callback`;
}

/** The form of a state: the id of the login, and the path to which the browser goes after it. */
const stateForm = /^(_[0-9a-f]{32})(|\/.*)$/;

/** Builds the state of a login, which the provider returns. */
export function buildState(id: string, relay_state: string): string {
  return id + relay_state;
}

/** Reads a state; undefined for one that this service never built. */
export function readState(state: string): { readonly id: string; readonly relay_state: string } | undefined {
  const [, id, relay_state = ''] = stateForm.exec(state) ?? [];
  return id === undefined ? undefined : { id, relay_state };
}
