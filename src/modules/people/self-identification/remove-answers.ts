import { hasConsent } from '#modules/people/consent';
import { lockMember } from '#modules/people/members';
import { task } from '#platform/queue/task.ts';
import { deleteAnswers } from './store.ts';

/** Deletes what a member has said about themselves after the consent was withdrawn. Does nothing if it was given again. */
export const removeAnswers = task<{ readonly member_id: string; readonly consent_type: string }>({
  name: 'selfIdentification.removeAnswers',
  retry_seconds: [5, 30, 120, 600],
  group_by: ({ member_id }) => member_id,
  run: ({ database }, { member_id, consent_type }) =>
    database.transaction(async (tx) => {
      if (consent_type !== 'demographic_self_identification') return;
      await lockMember(tx, member_id);
      if (!(await hasConsent(tx, member_id, 'demographic_self_identification')))
        await deleteAnswers(tx, member_id);
    }),
});
