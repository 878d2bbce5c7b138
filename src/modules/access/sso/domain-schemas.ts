import { Type, type Static } from 'typebox';
import { buildDomainRecord, type DomainClaim } from '#modules/organisations/orgs';
import { closedObject, field, kind_keyword, nullable, patternText, timestamp } from '#platform/schema.ts';

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
