import type { OrgRole } from '#lib/caller.ts';
import { Refusal } from '#lib/refusal.ts';
import { toCanonicalEmail, isEmail } from '#modules/auth';
import type { Organisation } from '#modules/orgs';
import type { Assertion, Confirmation, TimeWindow } from './saml/assertion.ts';
import { createResponseRefusal, type Envelope } from './saml/response-form.ts';

/** What single sign-on may make of somebody who was not known. An administrator is made by an administrator. */
export const defaultRoles = ['org_viewer', 'auditor'] as const satisfies readonly OrgRole[];

/** Whom an organisation trusts, and with what. */
export type Configuration = {
  readonly org_id: string;
  readonly enabled: boolean;
  readonly idp_entity_id: string;
  readonly idp_sso_url: string;
  /** PEM. */
  readonly idp_certificates: readonly string[];
  readonly idp_metadata_url: string | null;
  /** The name of an attribute, or `NameID`. */
  readonly email_attribute: string;
  readonly name_attribute: string | null;
  /** In small letters. */
  readonly email_domains: readonly string[];
  readonly default_role: (typeof defaultRoles)[number];
  readonly allow_idp_initiated: boolean;
  readonly created_at: Date;
  readonly updated_at: Date;
};

const tiers: ReadonlySet<Organisation['tier']> = new Set(['E3 Operator', 'partner']);

/** Whether an organisation's tier has single sign-on: E3 Operator or above. */
export function hasSsoTier(tier: Organisation['tier']): boolean {
  return tiers.has(tier);
}

/** What an organisation's identity provider needs to know of us. */
export type ServiceProvider = {
  readonly sp_entity_id: string;
  readonly acs_url: string;
  readonly metadata_url: string;
  readonly login_url: string;
};

/** Each organisation has a service provider of its own, so that what is said to one audience is nothing to another. */
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
 * A path of our own, in at most the 80 bytes that a RelayState may have (SAML bindings section 3.4.3); empty is none. Two slashes at its
 * start, or a slash and a backslash, would lead a browser to another host; two anywhere, or a part that begins with a dot, could become
 * two at its start where a proxy tidies paths.
 */
export const relayStatePattern =
  "^(?:(?:/[A-Za-z0-9_~!$&'()*+,;=:@%?#-][A-Za-z0-9._~!$&'()*+,;=:@%?#-]*)*/?)?$";
export const relay_state_characters_max = 80;

export const request_minutes = 10;

/** How far the clocks may be apart. */
const skew_ms = 60_000;

/** An assertion is made when somebody signs in; one that has lain about is not taken, however long it says that it holds. */
const assertion_age_max_ms = 10 * 60_000;

/** What a response has to be. */
export type ExpectedLogin = {
  readonly configuration: Configuration;
  readonly service: ServiceProvider;
  readonly now: Date;
};

/** Who signs in, and what keeps the assertion from being used again. */
export type ProvenLogin = {
  readonly email: string;
  readonly assertion_id: string;
  /** Until when the assertion would be taken a second time. */
  readonly assertion_expires_at: Date;
  /** The request that it answers; undefined where the identity provider began. */
  readonly in_response_to: string | undefined;
};

/**
 * Decides on a verified assertion and its envelope: from the configured issuer, for us, to our address, in its time, about somebody of the
 * organisation's own domains.
 *
 * @throws Refusal `sso_response_refused`, `sso_account_refused`.
 */
export function checkLogin(assertion: Assertion, envelope: Envelope, expected: ExpectedLogin): ProvenLogin {
  const { configuration, service, now } = expected;
  const { idp_entity_id, allow_idp_initiated } = configuration;
  if (envelope.destination !== service.acs_url)
    throw createResponseRefusal('The destination of the response is not our address.');
  if (assertion.issuer !== idp_entity_id || (envelope.issuer ?? idp_entity_id) !== idp_entity_id)
    throw createResponseRefusal('The issuer is not the configured identity provider.');
  const { audiences } = assertion;
  if (audiences.length === 0 || !audiences.every((audience) => audience.includes(service.sp_entity_id)))
    throw createResponseRefusal('The audience is not us.');
  requireWithinWindow(assertion.conditions, now, 'assertion');
  const { in_response_to } = requireConfirmation(assertion, service.acs_url, now);
  if (in_response_to !== envelope.in_response_to)
    throw createResponseRefusal('The response and its assertion do not answer the same request.');
  if (in_response_to === undefined && !allow_idp_initiated)
    throw createResponseRefusal('This organisation takes only logins that were started here.');
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

function requireWithinWindow({ not_before, not_on_or_after }: TimeWindow, now: Date, what: string): void {
  if (not_before && now.getTime() < not_before.getTime() - skew_ms)
    throw createResponseRefusal(`The ${what} is not valid yet.`);
  if (not_on_or_after && now.getTime() >= not_on_or_after.getTime() + skew_ms)
    throw createResponseRefusal(`The ${what} has expired.`);
}

/** The first confirmation that holds; where none does, what is wrong with the first. */
function requireConfirmation({ confirmations }: Assertion, acs_url: string, now: Date): Confirmation {
  const faults: Error[] = [];
  for (const confirmation of confirmations) {
    try {
      if (confirmation.recipient !== acs_url)
        throw createResponseRefusal('The recipient is not our address.');
      if (confirmation.not_on_or_after === null)
        throw createResponseRefusal('The confirmation of the subject has no end.');
      requireWithinWindow(confirmation, now, 'confirmation of the subject');
      return confirmation;
    } catch (fault) {
      faults.push(fault as Error);
    }
  }
  throw faults[0] ?? createResponseRefusal('The subject is not confirmed as the bearer.');
}

function requireSession({ session_ends }: Assertion, now: Date): void {
  if (session_ends.length === 0)
    throw createResponseRefusal('The assertion does not say that anybody was authenticated.');
  for (const not_on_or_after of session_ends)
    requireWithinWindow({ not_before: null, not_on_or_after }, now, 'session at the identity provider');
}

function requireEmail(assertion: Assertion, { email_attribute, email_domains }: Configuration): string {
  const values =
    email_attribute === 'NameID'
      ? [assertion.name_id ?? null]
      : (assertion.attributes.get(email_attribute) ?? []);
  const [value] = values;
  if (values.length !== 1 || value === null || value === undefined || !isEmail(value))
    throw createResponseRefusal(
      `The assertion has not one e-mail address in ${JSON.stringify(email_attribute)}.`,
    );
  const email = toCanonicalEmail(value);
  if (!email_domains.includes(email.slice(email.lastIndexOf('@') + 1)))
    throw new Refusal('sso_account_refused');
  return email;
}

const day_ms = 24 * 3_600_000;

/** Whole days until a certificate ends; 0 once it has. */
export function computeDaysLeft(not_after: Date, now: Date): number {
  return Math.max(0, Math.floor((not_after.getTime() - now.getTime()) / day_ms));
}
