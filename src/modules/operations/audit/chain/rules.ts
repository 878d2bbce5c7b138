import { createHash } from 'node:crypto';

/** What the chain covers of an entry. The values are texts of the database, so that nothing is lost in numbers and times. */
export type LinkedEntry = {
  readonly id: string;
  readonly sequence: string;
  readonly action: string;
  readonly actor_role: string | null;
  readonly org_id: string | null;
  /** Microseconds since 1970. */
  readonly created_us: string;
  /** Null once a member was removed from the entry. */
  readonly salt: string | null;
  readonly actor_user_id: string | null;
  readonly member_id: string | null;
  /** The facts as PostgreSQL writes jsonb: keys in one order, without spaces of the author. */
  readonly detail: string;
};

/** The newest link of a chain: how many links it has, and its head in hexadecimal. */
export type ChainEnd = { readonly position: number; readonly head: string };

/** One link, with hashes in hexadecimal. */
export type AuditLink = ChainEnd & {
  readonly entry_id: string;
  readonly created_us: string;
  readonly org_id: string | null;
  readonly org_position: number | null;
  readonly org_head: string | null;
  readonly commitment: string;
  readonly digest: string;
};

/** Where every chain begins. */
export const emptyChain: ChainEnd = { position: 0, head: '0'.repeat(64) };

/** The SHA-256 of what an erasure takes from an entry, with the salt of the entry in front. */
export function computeCommitment({ salt, actor_user_id, member_id, detail }: LinkedEntry): string {
  return hashValues([salt, actor_user_id, member_id, detail]);
}

/** The SHA-256 of what stays of an entry for ever, and of its commitment. */
export function computeDigest(entry: LinkedEntry, commitment: string): string {
  const { id, sequence, action, actor_role, org_id, created_us } = entry;
  return hashValues([id, sequence, action, actor_role, org_id, created_us, commitment]);
}

/** The SHA-256 of the head before and of a digest: a hash chain as in RFC 6962 for one branch, without a tree. */
export function computeHead(before: string, digest: string): string {
  return createHash('sha256')
    .update(Buffer.from(before, 'hex'))
    .update(Buffer.from(digest, 'hex'))
    .digest('hex');
}

/** Links entries to the ends of the chains of the installation and of their organisations, in the order given. */
export function linkEntries(
  end: ChainEnd,
  orgEnds: ReadonlyMap<string, ChainEnd>,
  entries: readonly LinkedEntry[],
): AuditLink[] {
  let last = end;
  const lastOf = new Map(orgEnds);
  return entries.map((entry) => {
    const { id: entry_id, created_us, org_id } = entry;
    const commitment = computeCommitment(entry);
    const digest = computeDigest(entry, commitment);
    last = extendChain(last, digest);
    const orgEnd = org_id === null ? undefined : extendChain(lastOf.get(org_id) ?? emptyChain, digest);
    if (org_id !== null) lastOf.set(org_id, orgEnd!);
    return {
      ...last,
      entry_id,
      created_us,
      org_id,
      org_position: orgEnd?.position ?? null,
      org_head: orgEnd?.head ?? null,
      commitment,
      digest,
    };
  });
}

function extendChain({ position, head }: ChainEnd, digest: string): ChainEnd {
  return { position: position + 1, head: computeHead(head, digest) };
}

function hashValues(values: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
