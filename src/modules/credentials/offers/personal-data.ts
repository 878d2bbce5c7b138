import { definePersonalData } from '#platform/personal-data.ts';
import { deleteMemberOffers, listMemberOffers } from './store.ts';

/** What was offered to the member, and what became of it. An erasure deletes it before the credentials. */
export const personalData = definePersonalData({ credential_offers: listMemberOffers }, deleteMemberOffers);
