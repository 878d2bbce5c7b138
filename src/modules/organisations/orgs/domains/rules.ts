/** How an organisation has proven that a domain is its own: by a record in the domain's DNS, or to the operator. */
export type DomainProof = { readonly verified_at: Date; readonly verified_by: 'dns' | 'operator' };

/** An organisation's claim to an email domain, with its proof if there is one. */
export type DomainClaim = {
  readonly org_id: string;
  /** In lower case. */
  readonly domain: string;
  /** Random text that the record of the domain must contain. */
  readonly challenge: string;
  readonly verified_at: Date | null;
  readonly verified_by: DomainProof['verified_by'] | null;
  readonly created_at: Date;
};

/** The TXT record by which an organisation proves that it controls a domain. */
export type DomainRecord = { readonly name: string; readonly value: string };

export function buildDomainRecord({
  domain,
  challenge,
}: Pick<DomainClaim, 'domain' | 'challenge'>): DomainRecord {
  return { name: `_tessera-challenge.${domain}`, value: `tessera-verification=${challenge}` };
}

/** Names that nobody can own (RFC 2606, RFC 6761). Tests and demonstrations use them. */
const reservedName = /(?:^|\.)(?:example|test|invalid|localhost)$/;

export function isReservedName(domain: string): boolean {
  return reservedName.test(domain);
}

/** The part of a canonical email address after the @. */
export function readMailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
