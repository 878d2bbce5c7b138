import { Type, type Static } from 'typebox';
import { buildDomainRecord, type DomainClaim } from '#modules/organisations/orgs';
import { closedObject, field, kind_keyword, nullable, patternText, timestamp } from '#platform/schema.ts';
import { defaultRoles, findAdministratorWait, type Admission } from './rules.ts';

/** A domain name of at least two labels. */
export const domainInput = patternText(
  '^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]$',
  'must be a domain such as harbour.example',
  { maxLength: 253, [kind_keyword]: 'domain' },
);

/** The domains of an organisation's email addresses. */
export const domainsInput = Type.Array(domainInput, {
  minItems: 1,
  maxItems: 50,
  description:
    'The domains of the email addresses that may log in. Subdomains are not included, and public email services are refused. Accounts are created only for domains that are verified.',
  examples: [['rivermurraytrust.example']],
});

/** A domain of an organisation: whether it is verified, and the TXT record that verifies it. */
export const domainWire = closedObject({
  domain: field(Type.String(), 'The domain of email addresses.', 'rivermurraytrust.example'),
  verified: field(
    Type.Boolean(),
    'Whether single sign-on creates accounts with addresses of this domain.',
    true,
  ),
  verified_by: nullable(
    Type.Enum(['dns', 'operator', 'reserved_name'], {
      description:
        'By a TXT record, by the operator, or, outside production, because nobody can own the name.',
      examples: ['dns'],
    }),
  ),
  verified_at: field(
    nullable(timestamp),
    'When the domain was verified; null if it is not.',
    '2026-03-02T09:15:00.000Z',
  ),
  record_name: field(
    Type.String(),
    'The name of the TXT record.',
    '_tessera-challenge.rivermurraytrust.example',
  ),
  record_value: field(
    Type.String(),
    'What the TXT record must contain.',
    'tessera-verification=3kTMd9X5pZqUuYl0wJmQvA',
  ),
});

export function toDomainWire(claim: DomainClaim, isVerifiedByName: boolean): Static<typeof domainWire> {
  const { domain, verified_at, verified_by } = claim;
  const { name: record_name, value: record_value } = buildDomainRecord(claim);
  return {
    domain,
    verified: verified_at !== null || isVerifiedByName,
    verified_by: verified_by ?? (isVerifiedByName ? 'reserved_name' : null),
    verified_at: verified_at?.toISOString() ?? null,
    record_name,
    record_value,
  };
}

/** Who may log in by a provider, of whichever protocol. */
export const userWire = {
  email_domains: field(Type.Array(Type.String()), 'The domains of the email addresses that may log in.', [
    'rivermurraytrust.example',
  ]),
  domains: field(Type.Array(domainWire), 'Which of the domains are verified.'),
  default_role: field(Type.Enum(defaultRoles), 'The role of a new user.', 'org_viewer'),
};

/** Since when a provider is as it is. */
export const timesWire = {
  administrators_from: field(
    nullable(timestamp),
    'From when the provider logs administrators in: a day after it was set up or changed. Null if it does.',
    '2026-03-03T09:15:00.000Z',
  ),
  created_at: timestamp,
  updated_at: timestamp,
};

/** What the reply to a configuration is made of, besides the configuration. */
export type WireContext = {
  readonly publicUrl: string;
  readonly now: Date;
  readonly claims: readonly DomainClaim[];
  readonly isVerifiedByName: (domain: string) => boolean;
};

/** What the configurations of both protocols say alike. */
type Provider = Admission & {
  readonly email_domains: readonly string[];
  readonly created_at: Date;
  readonly updated_at: Date;
};

/** The parts of a reply that do not depend on the protocol. */
export function toProviderWire(
  provider: Provider,
  { now, claims, isVerifiedByName }: Omit<WireContext, 'publicUrl'>,
) {
  return {
    email_domains: [...provider.email_domains],
    domains: claims.map((claim) => toDomainWire(claim, isVerifiedByName(claim.domain))),
    default_role: provider.default_role,
    administrators_from: findAdministratorWait(provider, now)?.toISOString() ?? null,
    created_at: provider.created_at.toISOString(),
    updated_at: provider.updated_at.toISOString(),
  };
}
