import { hasConsent } from '#modules/people/consent';
import { lockMember } from '#modules/people/members';
import { task } from '#platform/queue/task.ts';
import { deleteAnswers, findAnswers, upsertAnswers } from './store.ts';
import { listOfferedChoices } from './jurisdictions.ts';
import { findUnofferedQuestion, selectOffered } from './rules.ts';

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

/** Deletes the answers that are not offered in the country of a member who has moved or is deployed. */
export const removeUnofferedAnswers = task<{ readonly member_id: string }>({
  name: 'selfIdentification.removeUnofferedAnswers',
  retry_seconds: [5, 30, 120, 600],
  group_by: ({ member_id }) => member_id,
  run: ({ database, config, now }, { member_id }) =>
    database.transaction(async (tx) => {
      const member = await lockMember(tx, member_id);
      const answers = await findAnswers(tx, member_id);
      if (!member || !answers) return;
      const offered = listOfferedChoices(config.selfIdentification, member.location_country);
      if (findUnofferedQuestion(answers, offered))
        await upsertAnswers(tx, member_id, selectOffered(answers, offered), now());
    }),
});
