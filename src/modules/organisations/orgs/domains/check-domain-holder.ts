import type { Transaction, Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { isReservedName, isUnownedName } from './rules.ts';
import { lockHeldDomain, findHeldClaim, findNewestClaim } from './store.ts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { computeOnce } from '#lib/cache-results.ts';

/** Whether an organisation holds a domain: by a proof, or because the name is reserved and the service is not in production. */
export type DomainHolding = 'proven' | 'reserved' | 'none';

/** Whether names that nobody can own count as verified for every organisation: not in production. */
export function isVerifiedByName({ config }: Pick<Services, 'config'>, domain: string): boolean {
  return !config.production && isReservedName(domain);
}

/** Whether a domain is one of tests and demonstrations: not in production. More names than count as proven for single sign-on, where a test needs one that is not. */
export function isDomainOfTests({ config }: Pick<Services, 'config'>, domain: string): boolean {
  return !config.production && isUnownedName(domain);
}

/** Checks whether an organisation holds a domain, and prevents that it loses the domain before the transaction ends. */
export async function checkDomainHolder(
  services: Pick<Services, 'config'>,
  tx: Transaction,
  { org_id, domain }: { readonly org_id: string; readonly domain: string },
): Promise<DomainHolding> {
  // The list may have grown since the domain was verified.
  if (await isPublicMailDomain(domain)) return 'none';
  if (await lockHeldDomain(tx, { org_id, domain })) return 'proven';
  return isVerifiedByName(services, domain) ? 'reserved' : 'none';
}

/** Finds the organisation that has verified a domain, or undefined. Of a name that counts as verified, the newest claim counts. */
export async function findDomainHolder(
  services: Pick<Services, 'config'>,
  db: Reader,
  domain: string,
): Promise<string | undefined> {
  const held = await findHeldClaim(db, domain);
  const claim = held ?? (isVerifiedByName(services, domain) ? await findNewestClaim(db, domain) : undefined);
  return claim?.org_id;
}

/** Whether a domain is that of a public email service, where anybody can get an address. */
export async function isPublicMailDomain(domain: string): Promise<boolean> {
  return (await loadPublicMailDomains()).has(domain);
}

const loadPublicMailDomains = computeOnce(async (): Promise<ReadonlySet<string>> => {
  const require = createRequire(import.meta.url);
  const file = require.resolve('email-providers/all.json');
  // The package is pinned, and its file is an array of strings; `JSON.parse` is typed as any.
  return new Set(JSON.parse(await readFile(file, 'utf8')) as readonly string[]);
});
