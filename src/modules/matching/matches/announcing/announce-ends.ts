import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { matchExpired, matchWithdrawn } from '../events.ts';
import type { EndedMatch } from '../store.ts';
import { buildEventData } from './build-event-data.ts';

/** Emits the event of each match that has ended without a decision. The organisation knows the member as it did before. */
export async function announceEnds(
  services: Pick<Services, 'memory' | 'secrets' | 'queue'>,
  tx: Transaction,
  event: typeof matchExpired | typeof matchWithdrawn,
  ended: readonly EndedMatch[],
): Promise<void> {
  for (const match of ended)
    await services.queue.emit(
      tx,
      event,
      buildEventData(services, match, match.ended_from === 'member_accepted'),
    );
}
