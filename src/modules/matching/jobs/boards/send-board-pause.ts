import { findGreetingName, findReachableUser } from '#modules/access/accounts';
import { buildBoardPause, mailTask, sendMail } from '#modules/operations/mail';
import { task } from '#platform/queue/task.ts';
import { findBoard } from './store.ts';

type Data = { readonly board_id: string; readonly org_id: string; readonly user_id: string };

/** Tells an administrator that a board could not be read for a week, unless it is read again or no longer followed. */
export const sendBoardPause = task<Data>({
  name: 'jobs.sendBoardPause',
  ...mailTask,
  group_by: ({ org_id }) => org_id,
  run: async (context, { board_id, org_id, user_id }) => {
    const { database, config } = context;
    const board = await findBoard(database, { id: board_id, org_id });
    const user = await findReachableUser(database, { org_id, user_id });
    if (!board || board.is_active || board.last_fault === null) return;
    if (!user?.is_admin || user.is_organisation_suspended) return;
    const name = await findGreetingName(database, user_id);
    const facts = { url: board.url, fault: board.last_fault };
    await sendMail(context, { email: user.email, name }, buildBoardPause(config.publicUrl, facts));
  },
});
