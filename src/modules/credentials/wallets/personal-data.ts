import { definePersonalData } from '#platform/personal-data.ts';
import { deleteMemberOffers, listMemberOffers } from './store.ts';

/** The offers of the member's credentials. An erasure deletes them, so that no wallet can fetch an erased credential. */
export const personalData = definePersonalData({ wallet_offers: listMemberOffers }, deleteMemberOffers);
