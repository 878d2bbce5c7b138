import type { Job } from '#modules/matching/jobs';
import { findListEnd, type JobMatch } from '#modules/matching/engine';

type StoredEnd = Job['list_end'];

/** What a list is computed with: the version of the job's requirements, of the policy and of the vectors. The ends of lists with different ones cannot be compared. */
type ListBasis = {
  readonly version: number;
  readonly policy_version: number;
  readonly listed_version: string | undefined;
};

/** Builds the end of a computed list to store. */
export function buildListEnd(shortlist: readonly JobMatch[], basis: ListBasis): StoredEnd {
  const end = findListEnd(shortlist);
  return end && { basis: formatBasis(basis), ...end };
}

/** Returns the stored end of a list if it was computed with the same; null if it is not known, or if the list has room. */
export function pickListEnd(stored: StoredEnd, basis: ListBasis): StoredEnd {
  return stored?.basis === formatBasis(basis) ? stored : null;
}

function formatBasis({ version, policy_version, listed_version }: ListBasis): string {
  return `${version} ${policy_version} ${listed_version}`;
}

/** Says whether a list admits members whom it did not admit before, although nothing but the members has changed. */
export function isLowered(list_end: StoredEnd, earlier: StoredEnd): boolean {
  if (earlier === null) return false;
  if (list_end === null) return true;
  const { basis, tier, suitability } = list_end;
  if (basis !== earlier.basis) return false;
  return tier > earlier.tier || (tier === earlier.tier && suitability < earlier.suitability);
}
