import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, kind_keyword, patternText, uuid } from '#platform/schema.ts';
import { findDomainClaim, recordOperatorProof } from '#modules/organisations/orgs';
import { claimedDomainWire, toDomainWire } from './wire.ts';

/** Letters, digits, dots and hyphens. */
const domainInput = patternText('^[a-z0-9.-]+$', 'must be a domain such as harbour.example', {
  minLength: 1,
  maxLength: 253,
  [kind_keyword]: 'domain',
});

export const attestDomain = operation({
  name: 'operator.attestDomain',
  title: 'Verify a domain for an organisation',
  summary:
    'States that an email domain belongs to an organisation, which need not have entered it. First make sure that it does. An organisation that held the domain loses it.',
  who: ['platform_admin'],
  input: closedObject({
    org_id: uuid,
    domain: field(domainInput, 'A domain of at least two labels.', 'rivermurraytrust.example'),
  }),
  output: { 200: claimedDomainWire },
  refuses: ['domain_not_found', 'organisation_not_found'],
  run: (context, { org_id, domain }) =>
    context.transaction(async (tx) => {
      await recordOperatorProof(context, tx, { org_id, domain, actor: context.caller });
      const claim = requireFound(await findDomainClaim(tx, { org_id, domain }), 'domain_not_found');
      return toDomainWire(claim);
    }),
});
