import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { parallel_mails } from '#platform/mail.ts';
import { formatUtcTime } from '#platform/format-utc-time.ts';
import { renderMail, type MailPart } from '#platform/mail-template.ts';
import { task } from '#platform/queue/task.ts';
import { findGreetingName } from './find-greeting-name.ts';
import { findUser } from './store.ts';

type Mail = {
  readonly subject: string;
  readonly sentence: string;
  /** What to do if the user did not make the change; by default, to choose a new password and to check devices and passkeys. */
  readonly advice?: string;
  /** Pages that the advice needs, each with the words of its link. */
  readonly pages?: readonly (readonly [path: string, label: string])[];
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
  mfa_reset: {
    subject: 'MFA was reset',
    sentence:
      'The operator of this service has disabled MFA of your account. Logging in now requires only your password, until you enable MFA again.',
    advice:
      'If you did not ask for this, tell the operator of this service at once, and choose a new password.',
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
  organisation_suspended: {
    subject: 'Your organisation was suspended',
    sentence:
      'The operator of this service has suspended your organisation. All its users were logged out and cannot log in, its jobs are paused, and its webhooks wait. Nothing was deleted, and all of it continues if the suspension is lifted.',
    advice: 'To learn why, ask the operator of this service.',
  },
  organisation_resumed: {
    subject: 'Your organisation is no longer suspended',
    sentence:
      'The operator of this service has lifted the suspension of your organisation. Its users can log in again, its jobs find matches again, and its webhooks are delivered.',
    advice: 'Log in again to continue.',
  },
  agent_allowed: {
    subject: 'An agent was connected',
    sentence: 'An agent was allowed to act in your account.',
    advice: 'If this was not you, disconnect the agent at once, and choose a new password.',
    pages: [
      ['/app/agents', 'See your agents'],
      ['/forgot-password', 'Choose a new password'],
    ],
  },
  payout_requested: {
    subject: 'A payout was requested',
    sentence: 'A payout of your income was requested. It cannot be taken back once it is sent.',
  },
} as const satisfies Readonly<Record<string, Mail>>;

type Notice = keyof typeof notices;

type Data = {
  readonly user_id: string;
  /** The address at the time of the change, encrypted: a later change must not lead the notice to another user. */
  readonly email_sealed: string;
  /** The name at that time, encrypted: an account that was removed no longer has one. */
  readonly name_sealed?: string;
  /** A sentence that follows that of the notice, encrypted. */
  readonly about_sealed?: string;
  readonly notice: Notice;
  readonly at: string;
};

/** Emails users when the way they log in changes, so that they notice a change that they did not make. */
export const sendNotice = task<Data>({
  name: 'accounts.sendNotice',
  retry_seconds: [10, 60, 300, 900],
  parallel: parallel_mails,
  run: async ({ mailer, config, secrets }, { email_sealed, name_sealed, about_sealed, notice, at }) => {
    const { subject, sentence, advice, pages = [] }: Mail = notices[notice];
    const to = secrets.decrypt('notice', Buffer.from(email_sealed, 'base64'));
    const name =
      name_sealed === undefined
        ? undefined
        : secrets.decrypt('notice-name', Buffer.from(name_sealed, 'base64'));
    const about =
      about_sealed === undefined
        ? []
        : [secrets.decrypt('notice-about', Buffer.from(about_sealed, 'base64'))];
    const { publicUrl } = config;
    const parts = [
      [sentence, ...about, `This happened on ${formatUtcTime(new Date(at))}.`].join(' '),
      ...(advice === undefined ? buildAdvice(publicUrl) : [advice]),
      ...pages.map(([path, label]) => ({ link: `${publicUrl}${path}`, label })),
    ];
    await mailer.send({ to, ...renderMail({ subject, name, parts, publicUrl }) });
  },
});

function buildAdvice(publicUrl: string): readonly MailPart[] {
  return [
    'If this was not you, choose a new password at once, and then log out the devices and remove the passkeys that you do not know.',
    { link: `${publicUrl}/forgot-password`, label: 'Choose a new password' },
    { link: `${publicUrl}/app/account/devices`, label: 'See your devices' },
    { link: `${publicUrl}/app/account/passkeys`, label: 'See your passkeys' },
  ];
}

/**
 * Queues a notice to the address that the user has now, emailed if the transaction commits. Call this before the address changes.
 *
 * @param about A sentence that follows that of the notice.
 */
export async function queueNotice(
  { queue, now, secrets }: Pick<Services, 'queue' | 'now' | 'secrets'>,
  tx: Transaction,
  user_id: string,
  notice: Notice,
  about?: string,
): Promise<void> {
  const user = await findUser(tx, user_id);
  // An account that was created by a handle has no address at first.
  if (!user || user.email === null) return;
  const email_sealed = secrets.encrypt('notice', user.email).toString('base64');
  const name = await findGreetingName(tx, user_id);
  const sealed_name = name !== undefined && {
    name_sealed: secrets.encrypt('notice-name', name).toString('base64'),
  };
  const sealed_about = about !== undefined && {
    about_sealed: secrets.encrypt('notice-about', about).toString('base64'),
  };
  const at = now().toISOString();
  const data = { user_id, email_sealed, ...sealed_name, ...sealed_about, notice, at };
  await queue.send(tx, sendNotice, data);
}
