import {
  computeCommitment,
  computeDigest,
  computeHead,
  emptyChain,
  type AuditLink,
  type ChainEnd,
  type LinkedEntry,
} from './rules.ts';

/** What is wrong with the chain at a position. */
export type ChainFault = { readonly position: number; readonly entry_id: string; readonly fault: string };

/** What a check has counted. */
export type ChainCounts = {
  /** Links whose entry agrees with them. */
  entries: number;
  /** Entries from which an erasure took the person: their action, role, organisation and time agree. */
  erased: number;
  /** Links of entries that were deleted after their time. */
  forgotten: number;
};

/** A link, and its entry unless that is gone. */
export type CheckedLink = { readonly link: AuditLink; readonly entry: LinkedEntry | undefined };

/** Checks the links of the whole chain, given in the order of their positions. */
export type LinkChecker = {
  readonly counts: Readonly<ChainCounts>;
  /** The last link that was checked. */
  getEnd(): ChainEnd;
  /** Returns the faults of the next link. */
  check(next: CheckedLink): ChainFault[];
};

/**
 * Creates a checker.
 *
 * @param isForgotten whether an entry of this time may have been deleted because of its age.
 */
export function createLinkChecker(isForgotten: (created_us: string) => boolean): LinkChecker {
  const counts: ChainCounts = { entries: 0, erased: 0, forgotten: 0 };
  let last: ChainEnd | undefined;
  let has_start = true;
  const lastOf = new Map<string, ChainEnd>();

  function check({ link, entry }: CheckedLink): ChainFault[] {
    if (last === undefined) has_start = link.position === 1;
    const faults = [
      ...(last === undefined ? checkStart(link, isForgotten) : []),
      ...checkHeads(link, last ?? (has_start ? emptyChain : undefined)),
      ...checkOrgHeads(link, lastOf.get(link.org_id ?? '') ?? (has_start ? emptyChain : undefined)),
      ...checkEntry(link, entry, isForgotten, counts),
    ];
    last = { position: link.position, head: link.head };
    if (link.org_id !== null && link.org_position !== null && link.org_head !== null)
      lastOf.set(link.org_id, { position: link.org_position, head: link.org_head });
    return faults.map((fault) => ({ position: link.position, entry_id: link.entry_id, fault }));
  }

  return { counts, getEnd: () => last ?? emptyChain, check };
}

/** The start may be missing only as far as its entries are older than any that is kept. */
function checkStart(
  { position, created_us }: AuditLink,
  isForgotten: (created_us: string) => boolean,
): string[] {
  return position === 1 || isForgotten(created_us) ? [] : ['The links before this one are missing.'];
}

function checkHeads({ position, head, digest }: AuditLink, before: ChainEnd | undefined): string[] {
  if (before === undefined) return [];
  if (position !== before.position + 1) return ['Links before this one are missing.'];
  return head === computeHead(before.head, digest) ? [] : ['The head does not follow from the link before.'];
}

function checkOrgHeads(
  { org_id, org_position, org_head, digest }: AuditLink,
  before: ChainEnd | undefined,
): string[] {
  if (org_id === null || before === undefined) return [];
  const follows = org_position === before.position + 1 && org_head === computeHead(before.head, digest);
  return follows ? [] : ['The head of the organisation does not follow from its link before.'];
}

function checkEntry(
  link: AuditLink,
  entry: LinkedEntry | undefined,
  isForgotten: (created_us: string) => boolean,
  counts: ChainCounts,
): string[] {
  if (entry === undefined) {
    if (!isForgotten(link.created_us)) return ['The entry is missing.'];
    counts.forgotten++;
    return [];
  }
  const is_erased = entry.salt === null && entry.detail === '{}';
  const is_intact =
    (is_erased || computeCommitment(entry) === link.commitment) &&
    computeDigest(entry, link.commitment) === link.digest &&
    entry.org_id === link.org_id &&
    entry.created_us === link.created_us;
  if (!is_intact) return ['The entry was changed.'];
  counts.entries++;
  if (is_erased) counts.erased++;
  return [];
}
