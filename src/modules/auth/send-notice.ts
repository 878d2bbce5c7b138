import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { parallel_mails } from '#platform/mail.ts';
import { task } from '#platform/queue/task.ts';
import { findUser } from './store.ts';

type Mail = {
  readonly subject: string;
  readonly sentence: string;
  /** What to do if the user did not make the change; by default, to choose a new password and to check the sessions. */
  readonly advice?: string;
};

const notices = {
  password_reset: {
    subject: 'Your password was changed',
    sentence:
      'The password of your account was changed with an emailed link, and all your devices were logged out.',
  },
  password_changed: {
    subject: 'Your password was changed',
    sentence:
      'The password of your account was changed by a device that is logged in, and all other devices were logged out.',
  },
  email_change_requested: {
    subject: 'Your email address will change',
    sentence:
      'A new email address was given for your account. It replaces this one as soon as it is verified with a link that was emailed to it.',
  },
  email_changed: {
    subject: 'Your email address was changed',
    sentence: 'Your account now has another email address, and no longer this one.',
    advice: 'If this was not you, tell the operator of this service at once.',
  },
  deletion_cancelled: {
    subject: 'Your account will not be deleted',
    sentence:
      'The deletion of your account was cancelled with the link that was emailed to you. You can log in again.',
  },
  role_changed: {
    subject: 'Your role was changed',
    sentence:
      'An administrator gave you another role in your organisation. Your devices were logged out. Log in again to use it.',
    advice: 'If you did not expect this, ask an administrator of your organisation.',
  },
  account_removed: {
    subject: 'Your account was removed',
    sentence:
      'Your account was removed from your organisation. Its email address, password and devices were deleted.',
    advice: 'If you did not expect this, ask an administrator of your organisation.',
  },
  mfa_enabled: {
    subject: 'MFA is enabled',
    sentence: 'Every login to your account now requires a code from your authenticator app.',
  },
  mfa_disabled: {
    subject: 'MFA is disabled',
    sentence: 'Logging in to your account now requires only your password.',
  },
  passkey_added: {
    subject: 'A passkey was added',
    sentence: 'A passkey was added to your account. It logs in without your password.',
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    sentence: 'A passkey was removed from your account. It no longer logs in.',
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    sentence: 'One of your recovery codes was used to log in to your account. It no longer works.',
  },
} as const satisfies Readonly<Record<string, Mail>>;

type Notice = keyof typeof notices;

type Data = {
  readonly user_id: string;
  /** The address at the time of the change, encrypted: a later change must not lead the notice to another user. */
  readonly email_sealed: string;
  readonly notice: Notice;
  readonly at: string;
};

/** Emails users when the way they log in changes, so that they notice a change that they did not make. */
export const sendNotice = task<Data>({
  name: 'auth.sendNotice',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  run: async ({ mailer, config, secrets }, { email_sealed, notice, at }) => {
    const { subject, sentence, advice = buildAdvice(config.publicUrl) }: Mail = notices[notice];
    const to = secrets.decrypt('notice', Buffer.from(email_sealed, 'base64'));
    const text = `Hello,

${sentence} This happened at ${at} (UTC).

${advice}
`;
    await mailer.send({ to, subject, text });
  },
});

function buildAdvice(publicUrl: string): string {
  return `If this was not you, choose a new password at once, and then log out the devices that you do not know:

${publicUrl}/forgot-password
${publicUrl}/app/account/devices`;
}

/** Queues a notice to the address that the user has now, emailed if the transaction commits. Call this before the address changes. */
export async function queueNotice(
  { queue, now, secrets }: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  user_id: string,
  notice: Notice,
): Promise<void> {
  const user = await findUser(tx, user_id);
  if (!user) return;
  const email_sealed = secrets.encrypt('notice', user.email).toString('base64');
  await queue.send(tx, sendNotice, { user_id, email_sealed, notice, at: now().toISOString() });
}
