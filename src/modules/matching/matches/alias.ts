import { LRUCache } from 'lru-cache';
import { formatChildIdFromHex } from '#lib/child-id.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import type { NamedMatch } from './store.ts';

type AliasServices = Pick<Services, 'memory' | 'secrets'>;

/**
 * Computes the id by which an organisation knows the member of a match before both have agreed: a UUID of version 8 that begins like the id
 * of the job, and continues with 62 bits of the member's id, encrypted with a key of the job and the version of its requirements. It is the
 * same whenever it is computed, different for every job and every version, and without the key it can neither be computed nor compared.
 */
export function computeAlias(services: AliasServices, match: NamedMatch): string {
  return computeAliases(services, [match])[0]!;
}

/** Computes the aliases of matches, in their order. Matches of one job and version that follow each other cost little more than one. */
export function computeAliases(services: AliasServices, matches: readonly NamedMatch[]): readonly string[] {
  const aliases: string[] = [];
  for (let start = 0; start < matches.length; start = aliases.length) {
    const end = findEndOfVersion(matches, start);
    const first = matches[start]!;
    const ids = matches.slice(start, end).map(({ member_id }) => member_id);
    const encrypted = getCipher(services, first)(ids.join('').replaceAll('-', ''));
    for (let at = 0; at < encrypted.length; at += id_digits)
      aliases.push(formatChildIdFromHex(first.job_id, encrypted.slice(at, at + id_digits)));
  }
  return aliases;
}

const id_digits = 32;

/** Finds the first place after `start` of a match of another job or version. */
function findEndOfVersion(matches: readonly NamedMatch[], start: number): number {
  const { job_id, version } = matches[start]!;
  let end = start + 1;
  while (matches[end]?.job_id === job_id && matches[end]?.version === version) end++;
  return end;
}

/** The ciphers of the jobs whose matches were read last. One costs as much as a hundred aliases. */
const getKnownCiphers = instanceMemory(() => new LRUCache<string, (ids: string) => string>({ max: 2_000 }));

function getCipher(services: AliasServices, { job_id, version }: NamedMatch): (ids: string) => string {
  const ciphers = getKnownCiphers(services);
  const name = `${job_id} ${version}`;
  const known = ciphers.get(name);
  if (known) return known;
  const cipher = services.secrets.createIdCipher('match-alias', name);
  ciphers.set(name, cipher);
  return cipher;
}
