import { task } from '#platform/queue/task.ts';
import { openOffer } from '../open-offer.ts';
import { listDueOffers, lockOffer, type OfferKey } from '../store.ts';

const batch_offers = 200;

/** Opens waiting offers whose time has come. It runs every hour, so that an offer is late by as long as the service was down. */
export const openOffers = task({
  name: 'offers.openOffers',
  // The next hourly run replaces a retry.
  retry_seconds: [],
  every: '23 * * * *',
  run: async (context) => {
    const { database, now, signal } = context;
    // Each round opens or withdraws what it lists.
    for (let due: readonly OfferKey[]; ;) {
      due = await listDueOffers(database, now(), batch_offers);
      for (const key of due) {
        signal.throwIfAborted();
        await database.transaction(async (tx) => {
          const offer = await lockOffer(tx, key);
          if (offer?.state === 'waiting' && offer.opens_at <= now()) await openOffer(context, tx, offer);
        });
      }
      if (due.length < batch_offers) return;
    }
  },
});
