import { hasConsent } from '#modules/people/consent';
import type { Transaction } from '#platform/database/database.ts';
import type { HistoryKey } from '../store-deliveries.ts';
import { claimDeliveries, failDeliveries, type ClaimedDelivery } from './store.ts';

/** A claim ends after the longest wait for a place (2 s), the longest attempt (30 s), and some time to record it. */
const claim_ms = 40_000;

/** Claims deliveries that are due at a time, and ends those about credentials whose member no longer shares them. */
export async function claimPermitted(
  tx: Transaction,
  key: HistoryKey,
  { due, now, limit }: { readonly due: Date; readonly now: Date; readonly limit: number },
): Promise<readonly ClaimedDelivery[]> {
  const claimed = await claimDeliveries(tx, key, { due, until: new Date(now.getTime() + claim_ms), limit });
  const attestations = claimed.filter(({ event_type }) => event_type.startsWith('attestation.'));
  const unshared = await listUnshared(
    tx,
    attestations.flatMap(({ member_id }) => member_id ?? []),
  );
  const withdrawn = attestations.flatMap(({ id, member_id }) =>
    member_id !== null && unshared.has(member_id) ? id : [],
  );
  if (withdrawn.length === 0) return claimed;
  await failDeliveries(tx, key.org_id, withdrawn, 'consent_withdrawn');
  return claimed.filter(({ id }) => !withdrawn.includes(id));
}

/** Lists those of the members who do not share credentials. */
async function listUnshared(tx: Transaction, member_ids: readonly string[]): Promise<ReadonlySet<string>> {
  const unshared = new Set<string>();
  for (const member_id of new Set(member_ids))
    if (!(await hasConsent(tx, member_id, 'credential_sharing'))) unshared.add(member_id);
  return unshared;
}
