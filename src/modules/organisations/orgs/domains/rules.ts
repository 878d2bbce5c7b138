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

const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,120}[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

/** Whether a text is a domain of at least two labels, in lower case. */
export function isDomain(text: string): boolean {
  return text.length <= 253 && domainForm.test(text);
}

/** Names that nobody can own (RFC 2606, RFC 6761). Tests and demonstrations use them. */
const reservedName = /(?:^|\.)(?:example|test|invalid|localhost)$/;

export function isReservedName(domain: string): boolean {
  return reservedName.test(domain);
}

/** Further names that nobody can own: those of examples (RFC 2606), of local networks (RFC 6762) and of private ones. */
const unownedName = /(?:^|\.)(?:local|internal|example\.(?:com|net|org))$/;

export function isUnownedName(domain: string): boolean {
  return isReservedName(domain) || unownedName.test(domain);
}

/** The labels under which country domains give out names to others, such as `com` in `com.au`. */
const sharedLabel =
  /^(?:ac|asn|co|com|edu|go|gob|gouv|gov|govt|id|ltd|me|mil|ne|net|nhs|nom|or|org|plc|sch|school)$/;

/**
 * Finds the domain that somebody registered, of which another one is a part: its owner can make any number of others. The last two labels, or three
 * under a shared label of a country. Without the Public Suffix List (2 MB a year to follow), the customers of one hosting domain share a result.
 */
export function findRegistrableDomain(domain: string): string {
  const labels = domain.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const isShared = top.length === 2 && sharedLabel.test(second);
  return labels.slice(isShared ? -3 : -2).join('.');
}

/** The part of a canonical email address after the @. */
export function readMailDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
