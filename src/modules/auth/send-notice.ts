import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { parallel_mails } from '#platform/mail.ts';
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
    'The password of your account was changed with a mailed link, and all your devices were signed out.',
  mfa_enabled: 'Every login to your account now requires a code from your authenticator app.',
  mfa_disabled: 'Logging in to your account now requires only your password.',
  recovery_code_used: 'One of your recovery codes was used to log in to your account. It no longer works.',
} as const satisfies Record<Notice, string>;

type Notice = keyof typeof subjects;

type Data = { readonly user_id: string; readonly notice: Notice; readonly at: string };

/** Mails users when the way they sign in changes, so that they notice a change that they did not make. */
export const sendNotice = task<Data>({
  name: 'auth.sendNotice',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  run: async ({ database, mailer, config }, { user_id, notice, at }) => {
    const user = await findUser(database, user_id);
    if (!user) return;
    const text = `Hello,

${noticeSentences[notice]} This happened at ${at} (UTC).

If this was not you, change your password at once: request a link with POST ${config.publicUrl}/api/v1/auth/forgot-password. Then check
your sessions with GET ${config.publicUrl}/api/v1/auth/sessions.
`;
    await mailer.send({ to: user.email, subject: subjects[notice], text });
  },
});

/** Queues a notice, which is mailed if the transaction commits. */
export async function queueNotice(
  { queue, now }: Pick<Services, 'queue' | 'now'>,
  tx: Transaction,
  user_id: string,
  notice: Notice,
): Promise<void> {
  await queue.send(tx, sendNotice, { user_id, notice, at: now().toISOString() });
}
