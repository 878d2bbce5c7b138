import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { referenceText } from '#modules/matching/jobs';
import { checkVerifiedAdmin } from '#modules/matching/matches';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countOffers, listOffers, type OfferPlace } from '../store.ts';
import { attestationWire, offerStatus, toAttestationWire } from '../wire.ts';

export const listAttestations = operation({
  name: 'offers.listAttestations',
  title: 'List what an organisation has attested',
  summary:
    'Lists what the organisation has attested to people, newest first, and what became of it. Recorded placements are among it, from the day on which they were recorded.',
  who: orgRoles,
  input: Type.Object({
    status: Type.Optional({ ...offerStatus, description: 'Only attestations with this status.' }),
    external_ref: Type.Optional(referenceText),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(attestationWire) },
  refuses: ['cursor_invalid', 'email_not_verified'],
  run: async (context, { status, external_ref, limit, cursor }) => {
    await checkVerifiedAdmin(context);
    const { database, caller } = context;
    const now = context.now();
    const filter = { owner: { org_id: caller.org_id }, status, external_ref };
    return readPage(
      context,
      { name: 'offers.listAttestations', filter: { ...filter.owner, status, external_ref }, limit, cursor },
      {
        list: (after: OfferPlace | undefined, rows_max) => listOffers(database, filter, now, after, rows_max),
        count: () => countOffers(database, filter, now),
        getPlace: ({ created_at, id }): OfferPlace => [created_at.toISOString(), id],
        toItem: (offer) => toAttestationWire(offer, now),
      },
    );
  },
});
