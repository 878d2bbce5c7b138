import { Type } from 'typebox';
import { buildPageSchema, pageQuery, readPage } from '#platform/database/paging.ts';
import { operation } from '#platform/operation.ts';
import { countOffers, listOffers as listRows, type OfferPlace } from '../store.ts';
import { offerStatus, offerWire, toOfferWire } from '../wire.ts';

export const listOffers = operation({
  name: 'offers.listOffers',
  title: 'List offers of credentials',
  summary:
    'Lists the credentials that were offered to the member, newest first. None exists before the member accepts it.',
  who: ['member'],
  input: Type.Object({
    status: Type.Optional({ ...offerStatus, description: 'Only offers with this status.' }),
    ...pageQuery,
  }),
  output: { 200: buildPageSchema(offerWire) },
  refuses: ['cursor_invalid'],
  tools: [
    {
      name: 'list_credential_offers',
      title: 'List offers of credentials',
      kind: 'read',
      roles: ['member'],
      consent: 'See which credentials are offered to you',
      description:
        'Lists credentials that the service or an organisation offers to the person, such as a completed assessment or a placement. With status=open, those that wait for an answer. The answer is given with answer_credential_offer.',
    },
  ],
  run: (context, { status, limit, cursor }) => {
    const { database, caller } = context;
    const now = context.now();
    const filter = { owner: { member_id: caller.member_id }, status };
    return readPage(
      context,
      { name: 'offers.listOffers', filter: { ...filter.owner, status }, limit, cursor },
      {
        list: (after: OfferPlace | undefined, rows_max) => listRows(database, filter, now, after, rows_max),
        count: () => countOffers(database, filter, now),
        getPlace: ({ created_at, id }): OfferPlace => [created_at.toISOString(), id],
        toItem: (offer) => toOfferWire(offer, now),
      },
    );
  },
});
