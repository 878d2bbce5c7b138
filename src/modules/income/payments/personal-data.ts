import { definePersonalData } from '#platform/personal-data.ts';
import { listPaymentsAbout, severMember } from './store.ts';

/** What was paid for reads of the member's data. An erasure severs the member from these payments, and deletes the results of the reads. A payment without a read is refunded. */
export const personalData = definePersonalData({ payments: listPaymentsAbout }, severMember);
