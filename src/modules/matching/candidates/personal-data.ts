import { definePersonalData } from '#platform/personal-data.ts';
import { listMemberAcceptances, severMember } from './store.ts';

/**
 * The invitations that the member has accepted. Those that wait for an answer belong to an address, whether or not it has an account: they end with
 * the answer or within two weeks, and their end must not show the organisation that an account was erased.
 */
export const personalData = definePersonalData({ accepted_invitations: listMemberAcceptances }, severMember);
