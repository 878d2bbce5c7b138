import { LRUCache } from 'lru-cache';
import { readParentId } from '#lib/child-id.ts';
import { findMember } from '#modules/people/members';
import type { Reader } from '#platform/database/database.ts';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { computeAlias, computeAliases } from './alias.ts';
import { isContactShared, sharingStatuses } from './contact/rules.ts';
import { listSharedMatches } from './lists/store-placements.ts';
import { findNamedMatch, listNamedMatches, type Match, type NamedMatch } from './store.ts';

type NamingServices = Pick<Services, 'memory' | 'secrets'>;

/** A member, and the id by which the organisation knows them: the alias of a match, or the real id where it rightly knows that. */
export type NamedMember = { readonly member_id: string; readonly known_as: string };

/**
 * Finds the member whom an organisation names: by the alias of one of its own matches, by the real id of a member who shares the contact
 * with it, or by the id of a stub that nobody has claimed. Undefined for everything else, even if the id exists, so that nobody can try ids.
 */
export async function findNamedMember(
  services: NamingServices,
  db: Reader,
  org_id: string,
  name: string,
): Promise<NamedMember | undefined> {
  const id = name.toLowerCase();
  const aliased = await findByAlias(services, db, { org_id, alias: id });
  if (aliased !== undefined) {
    const { member_id } = aliased;
    return { member_id, known_as: (await isShared(db, aliased)) ? member_id : id };
  }
  const sharing = await findSharingMember(db, org_id, id);
  return sharing === undefined ? undefined : { member_id: sharing, known_as: sharing };
}

/** A match that a name may be of, as its organisation names it. */
type FoundMatch = NamedMatch & Pick<Match, 'match_status'>;

/** Says whether both sides of this match have agreed. Another match of the same member does not count: its alias must not be joined with this one. */
async function isShared(db: Reader, { match_status, member_id }: FoundMatch): Promise<boolean> {
  if (!sharingStatuses.has(match_status)) return false;
  const member = await findMember(db, member_id);
  return member !== undefined && isContactShared(match_status, member);
}

type Alias = { readonly org_id: string; readonly alias: string };

/** An alias begins like the id of its job; the other ids are random, and of another version. */
async function findByAlias(
  services: NamingServices,
  db: Reader,
  { org_id, alias }: Alias,
): Promise<FoundMatch | undefined> {
  if (alias[14] !== '8') return undefined;
  const job_id = readParentId(alias);
  const known = getFoundMembers(services).get(alias);
  // The match may have been replaced since: the alias of an older version of the requirements names nobody.
  const candidate = known && (await findNamedMatch(db, job_id, org_id, known));
  if (candidate && computeAlias(services, candidate) === alias) return candidate;
  return findAmongMatches(services, await listNamedMatches(db, job_id, org_id), alias);
}

/** Computes the aliases of all matches of the job, mostly at most a thousand, in less than a millisecond. */
function findAmongMatches(
  services: NamingServices,
  matches: readonly FoundMatch[],
  alias: string,
): FoundMatch | undefined {
  const found = matches[computeAliases(services, matches).indexOf(alias)];
  if (found) getFoundMembers(services).set(alias, found.member_id);
  return found;
}

/** The members behind the aliases that were named last. */
const getFoundMembers = instanceMemory(() => new LRUCache<string, string>({ max: 20_000 }));

async function findSharingMember(db: Reader, org_id: string, member_id: string): Promise<string | undefined> {
  const [matches, member] = await Promise.all([listSharedMatches(db, member_id), findMember(db, member_id)]);
  // The id of a stub names nobody, and is given out so that organisations can read the stub.
  if (member?.is_unclaimed) return member_id;
  const isSharing =
    member !== undefined &&
    isContactShared('member_accepted', member) &&
    matches.some((match) => match.org_id === org_id);
  return isSharing ? member_id : undefined;
}
