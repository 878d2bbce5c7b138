import { definePersonalData } from '#platform/personal-data.ts';
import { deleteSentEvents, listSentEvents } from './store-personal-data.ts';

/** What organisations were sent about the member, for as long as the history is kept. Deliveries that wait for an erasure are not sent. */
export const personalData = definePersonalData({ webhook_deliveries: listSentEvents }, deleteSentEvents);
