import { definePersonalData } from '#platform/personal-data.ts';
import { deleteAnswers, listStoredAnswers } from './store.ts';

/** What the member has said about themselves. */
export const personalData = definePersonalData({ self_identification: listStoredAnswers }, deleteAnswers);
