import type { Transaction } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { task } from '#platform/queue/task.ts';
import { findUser } from './store.ts';

const subjects = {
  password_reset: 'Your password was changed',
  mfa_enabled: 'Two-step login is on',
  mfa_disabled: 'Two-step login is off',
  recovery_code_used: 'A recovery code was used',
} as const;

const noticeSentences = {
  password_reset:
    'the password of your account was changed by a mailed link, and every device was signed out.',
  mfa_enabled: 'every login to your account now asks for a code of your authenticator app.',
  mfa_disabled: 'logging in to your account takes the password alone again.',
  recovery_code_used: 'somebody logged in to your account with one of your recovery codes. It works no more.',
} as const satisfies Record<Notice, string>;

type Notice = keyof typeof subjects;

type Data = { readonly user_id: string; readonly notice: Notice; readonly at: string };

/** Tells users of a change of how they sign in, so that they hear of it when it was somebody else. */
export const sendNotice = task<Data>({
  name: 'auth.sendNotice',
  retry_seconds: [10, 60, 300, 900],
  run: async ({ database, mailer, config }, { user_id, notice, at }) => {
    const user = await findUser(database, user_id);
    if (!user) return;
    const text = `Hello,

at ${at} (UTC) ${noticeSentences[notice]}

If it was not you, choose another password at once: ask for the link by POST ${config.publicUrl}/api/v1/auth/forgot-password, and then
look through your sessions.
`;
    await mailer.send({ to: user.email, subject: subjects[notice], text });
  },
});

/** Has a notice mailed, if the transaction commits. */
export async function queueNotice(
  { queue, now }: Pick<Platform, 'queue'> & { readonly now: () => Date },
  tx: Transaction,
  user_id: string,
  notice: Notice,
): Promise<void> {
  await queue.send(tx, sendNotice, { user_id, notice, at: now().toISOString() });
}
