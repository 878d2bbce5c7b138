import { definePersonalData } from '#platform/personal-data.ts';
import { deleteAllOfUsers, listSettings, listWaitingNotices } from './store.ts';
import { deleteMemberNotices, listMemberNotices } from './store-member-notices.ts';
import { deleteReadNotices, listReadNotices } from './store-reads.ts';

/** Which emails the member has chosen, what the next digest says, which emails about the assessment were sent, and until when reads were reported. */
export const personalData = definePersonalData(
  {
    notification_settings: (db, _member_id, { user_ids }) => listSettings(db, user_ids),
    waiting_notices: (db, _member_id, { user_ids }) => listWaitingNotices(db, user_ids),
    member_notices: (db, _member_id, { user_ids }) => listMemberNotices(db, user_ids),
    read_notices: (db, _member_id, { user_ids }) => listReadNotices(db, user_ids),
  },
  async (tx, _member_id, { user_ids }) => {
    await deleteAllOfUsers(tx, user_ids);
    await deleteReadNotices(tx, user_ids);
    await deleteMemberNotices(tx, user_ids);
  },
);
