import type { OrgRole } from '#lib/caller.ts';
import type { Assertion, Confirmation, Envelope, IdentityProvider, TimeWindow } from '@tessera/saml';
import { Refusal } from '#lib/refusal.ts';
import { readOutsideValue } from '#lib/outside-values.ts';
import { isEmail } from '#modules/access/accounts';
import { readMailDomain, type Organisation } from '#modules/organisations/orgs';

/** The roles that a new user may get by single sign-on. Only an administrator can appoint another administrator. */
export const defaultRoles = ['org_viewer', 'auditor'] as const satisfies readonly OrgRole[];

/** What an organisation decides about the users whom its identity provider logs in, by whichever protocol. */
export type Admission = {
  readonly org_id: string;
  readonly default_role: (typeof defaultRoles)[number];
  /** When something last changed that decides whom the provider logs in; null if that was before it was recorded. */
  readonly provider_changed_at: Date | null;
};

/** The identity provider that an organisation trusts, and the conditions. */
export type Configuration = Admission & {
  readonly enabled: boolean;
  readonly idp_entity_id: string;
  readonly idp_sso_url: string;
  /** PEM. */
  readonly idp_certificates: readonly string[];
  readonly idp_metadata_url: string | null;
  /** The name of an attribute, or `NameID`. */
  readonly email_attribute: string;
  readonly name_attribute: string | null;
  /** In lower case. */
  readonly email_domains: readonly string[];
  readonly allow_idp_initiated: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** The identity provider of a configuration, as SAML describes it. */
export function toIdentityProvider({ idp_sso_url, idp_certificates }: Configuration): IdentityProvider {
  return { sso_url: idp_sso_url, certificates: idp_certificates };
}

/** How long a new or changed identity provider logs no administrator in, so that the others can undo what a thief has set up. */
const administrator_wait_ms = 24 * 3_600_000;

/** Returns from when the identity provider logs administrators in, or null if it does already. */
export function findAdministratorWait(
  { provider_changed_at }: Pick<Admission, 'provider_changed_at'>,
  now: Date,
): Date | null {
  if (provider_changed_at === null) return null;
  const from = new Date(provider_changed_at.getTime() + administrator_wait_ms);
  return from > now ? from : null;
}

/** Says whether a configuration trusts somebody, or for somebody, that the earlier one did not: then it is a new provider. */
export function hasWiderTrust(before: Configuration | undefined, after: Configuration): boolean {
  if (!before) return true;
  return (
    before.idp_entity_id !== after.idp_entity_id ||
    before.idp_sso_url !== after.idp_sso_url ||
    before.email_attribute !== after.email_attribute ||
    !hasAll(before.idp_certificates, after.idp_certificates) ||
    !hasAll(before.email_domains, after.email_domains) ||
    (after.allow_idp_initiated && !before.allow_idp_initiated) ||
    (after.enabled && !before.enabled)
  );
}

/** Whether a list has all values of another. */
export function hasAll(all: readonly string[], some: readonly string[]): boolean {
  return some.every((each) => all.includes(each));
}

const tiers: ReadonlySet<Organisation['tier']> = new Set(['E3 Operator', 'partner']);

/** Whether an organisation's tier includes single sign-on: E3 Operator or above. */
export function hasSsoTier(tier: Organisation['tier']): boolean {
  return tiers.has(tier);
}

/** The identifiers and addresses of this service that an organisation's identity provider needs. */
export type ServiceProvider = {
  readonly sp_entity_id: string;
  readonly acs_url: string;
  readonly metadata_url: string;
  readonly login_url: string;
};

/** Each organisation has its own service provider, so that an assertion for one organisation is not valid for another. */
export function buildServiceProvider(publicUrl: string, org_id: string): ServiceProvider {
  const base = `${publicUrl}/api/v1/auth/sso/${org_id}`;
  return {
    sp_entity_id: `${base}/metadata`,
    acs_url: `${base}/acs`,
    metadata_url: `${base}/metadata`,
    login_url: `${base}/login`,
  };
}

/**
 * A path on this origin, of at most the 80 bytes that a RelayState may have (SAML bindings section 3.4.3), or an empty text. Two slashes at
 * the start, or a slash and a backslash, would send a browser to another host. Two slashes anywhere, and segments that begin with a dot,
 * are refused because a proxy that normalises paths could turn them into two slashes at the start.
 */
export const relayStatePattern =
  "^(?:(?:/[A-Za-z0-9_~!$&'()*+,;=:@%?#-][A-Za-z0-9._~!$&'()*+,;=:@%?#-]*)*/?)?$";
export const relay_state_characters_max = 80;

const relayPath = new RegExp(relayStatePattern);

/**
 * Selects where a browser goes after its login. Identity providers send a RelayState of their own with the logins that they start: a URL, an opaque
 * text, or none. Only a path on this origin is followed; anything else leads a browser to the console.
 *
 * @returns undefined for a program, which gets its tokens in the reply.
 */
export function selectDestination(relay_state: string, accept: string | undefined): string | undefined {
  if (relay_state !== '' && relay_state.length <= relay_state_characters_max && relayPath.test(relay_state))
    return relay_state;
  return accept?.toLowerCase().includes('text/html') === true ? '/app' : undefined;
}

/** Whether a path is a page of the console, which keeps its session in a cookie of its own. */
export function isConsolePath(path: string): boolean {
  return /^\/app(?:[/?#]|$)/.test(path);
}

export const request_minutes = 10;

/** How far the clocks of the identity provider and of this service may differ. */
const skew_ms = 60_000;

/** An assertion is issued when the user logs in. An older one is refused, even if its own validity is longer. */
const assertion_age_max_ms = 10 * 60_000;

/** What a response is checked against. */
export type ExpectedLogin = {
  readonly configuration: Configuration;
  readonly service: ServiceProvider;
  readonly now: Date;
};

/** The user who logs in, and the facts that prevent a second use of the assertion. */
export type ProvenLogin = {
  readonly email: string;
  readonly assertion_id: string;
  /** When the assertion expires, so that its id need not be stored any longer. */
  readonly assertion_expires_at: Date;
  /** The request to which it responds; undefined if the identity provider started the login. */
  readonly in_response_to: string | undefined;
};

/** The refusal of a response that is not valid SAML. */
export function createMalformedRefusal(detail: string): Refusal {
  return new Refusal('sso_response_malformed', { detail });
}

/** The refusal of a response that can be read but does not prove who logs in. */
export function createResponseRefusal(detail: string): Refusal {
  return new Refusal('sso_response_refused', { detail });
}

/**
 * Checks a verified assertion and its envelope: issued by the configured identity provider, for this service and its address, valid now, and
 * about an email address in the organisation's domains.
 *
 * @throws Refusal `sso_response_refused`, `sso_account_refused`.
 */
export function checkLogin(assertion: Assertion, envelope: Envelope, expected: ExpectedLogin): ProvenLogin {
  const { configuration, service, now } = expected;
  const { idp_entity_id, allow_idp_initiated } = configuration;
  if (envelope.destination !== service.acs_url)
    throw createResponseRefusal('The destination of the response is not the address of this service.');
  if (assertion.issuer !== idp_entity_id || (envelope.issuer ?? idp_entity_id) !== idp_entity_id)
    throw createResponseRefusal('The issuer is not the configured identity provider.');
  const { audiences } = assertion;
  if (audiences.length === 0 || !audiences.every((audience) => audience.includes(service.sp_entity_id)))
    throw createResponseRefusal('The audience of the assertion is not this service.');
  requireWithinWindow(assertion.conditions, now, 'assertion');
  const { in_response_to } = requireConfirmation(assertion, service.acs_url, now);
  if (in_response_to !== envelope.in_response_to)
    throw createResponseRefusal('The response and its assertion refer to different requests.');
  if (in_response_to === undefined && !allow_idp_initiated)
    throw createResponseRefusal('This organisation accepts only logins that start at this service.');
  const oldest = assertion.issued_at.getTime() + assertion_age_max_ms;
  requireWithinWindow(
    { not_before: assertion.issued_at, not_on_or_after: new Date(oldest) },
    now,
    'assertion',
  );
  requireSession(assertion, now);
  return {
    email: requireEmail(assertion, configuration),
    assertion_id: assertion.id,
    assertion_expires_at: new Date(oldest + skew_ms),
    in_response_to,
  };
}

function requireWithinWindow(window: TimeWindow, now: Date, what: string): void {
  const fault = describeWindowFault(window, now, what);
  if (fault !== undefined) throw createResponseRefusal(fault);
}

function describeWindowFault(
  { not_before, not_on_or_after }: TimeWindow,
  now: Date,
  what: string,
): string | undefined {
  if (not_before && now.getTime() < not_before.getTime() - skew_ms) return `The ${what} is not valid yet.`;
  if (not_on_or_after && now.getTime() >= not_on_or_after.getTime() + skew_ms)
    return `The ${what} has expired.`;
  return undefined;
}

/** Returns the first valid confirmation. If none is valid, the refusal describes the first. */
function requireConfirmation({ confirmations }: Assertion, acs_url: string, now: Date): Confirmation {
  const faults = confirmations.map((confirmation) => describeConfirmationFault(confirmation, acs_url, now));
  const confirmation = confirmations[faults.indexOf(undefined)];
  if (confirmation === undefined)
    throw createResponseRefusal(faults[0] ?? 'The assertion has no bearer confirmation of its subject.');
  return confirmation;
}

function describeConfirmationFault(
  confirmation: Confirmation,
  acs_url: string,
  now: Date,
): string | undefined {
  if (confirmation.recipient !== acs_url)
    return 'The recipient of the assertion is not the address of this service.';
  if (confirmation.not_on_or_after === null) return 'The subject confirmation has no expiry.';
  return describeWindowFault(confirmation, now, 'subject confirmation');
}

function requireSession({ session_ends }: Assertion, now: Date): void {
  if (session_ends.length === 0)
    throw createResponseRefusal('The assertion has no authentication statement.');
  for (const not_on_or_after of session_ends)
    requireWithinWindow({ not_before: null, not_on_or_after }, now, 'session at the identity provider');
}

function requireEmail(assertion: Assertion, { email_attribute, email_domains }: Configuration): string {
  const values =
    email_attribute === 'NameID'
      ? [assertion.name_id ?? null]
      : (assertion.attributes.get(email_attribute) ?? []);
  const [value] = values;
  const email = readOutsideValue('email', value ?? '');
  if (values.length !== 1 || !isEmail(email))
    throw createResponseRefusal(
      `The assertion must have exactly one email address in ${JSON.stringify(email_attribute)}.`,
    );
  if (!email_domains.includes(readMailDomain(email))) throw new Refusal('sso_account_refused');
  return email;
}

const day_ms = 24 * 3_600_000;

/** Whole days until a certificate expires; 0 if it has expired. */
export function computeDaysLeft(not_after: Date, now: Date): number {
  return Math.max(0, Math.floor((not_after.getTime() - now.getTime()) / day_ms));
}
