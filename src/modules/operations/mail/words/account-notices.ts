import type { MailPart } from '../render-mail.ts';
import type { MailText } from '../send-mail.ts';
import { formatUtcTime } from '#platform/format-utc-time.ts';

type NoticeWords = {
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
      'The deletion of your account was cancelled with the link that was emailed to you. Nothing was deleted.',
    advice: 'You can log in again as before.',
    pages: [['/sign-in', 'Log in']],
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
  new_device: {
    subject: 'A login from a new device',
    sentence: 'Somebody has logged in to your account from a device or a network that was not used before.',
  },
  identity_provider_changed: {
    subject: 'How your organisation logs in was changed',
    sentence:
      'An administrator has set up or changed single sign-on, which decides who can log in for your organisation. A new or changed identity provider logs no administrator in for 24 hours.',
    advice:
      'If you did not expect this, log in with your password at once, look at single sign-on, and remove the administrator whose account was misused.',
    pages: [
      ['/app/sso', 'See single sign-on'],
      ['/app/people', 'See the people of your organisation'],
    ],
  },
  administrator_added: {
    subject: 'A new administrator of your organisation',
    sentence: 'An administrator has invited or appointed another administrator of your organisation.',
    advice: 'If you did not expect this, look at once at who acts for your organisation.',
    pages: [['/app/people', 'See the people of your organisation']],
  },
  service_key_created: {
    subject: 'A service key was created for your organisation',
    sentence:
      'An administrator has created or replaced a key by which programs act for your organisation without a person who logs in.',
    advice: 'If you did not expect this, revoke the key, and look at who acts for your organisation.',
    pages: [
      ['/app/keys', 'See the service keys'],
      ['/app/people', 'See the people of your organisation'],
    ],
  },
  service_key_reported: {
    subject: 'A service key of your organisation was revoked',
    sentence:
      'Somebody who knows a service key of your organisation has reported it to us as found in a public place. It was revoked at once, so programs that use it are refused now.',
    advice: 'Look in the audit log for what the key did, and create a new one for your programs.',
    pages: [
      ['/app/keys', 'See the service keys'],
      ['/app/audit', 'See the audit log'],
    ],
  },
  operator_key_created: {
    subject: 'A service key of this service was created',
    sentence:
      'An administrator of this service has created or replaced a key by which programs act for its operator without a person who logs in.',
    advice:
      'If you did not expect this, revoke the key, and suspend the administrator whose account was misused.',
    pages: [
      ['/app/operator/service-keys', 'See the service keys'],
      ['/app/operator/users', 'See the accounts'],
    ],
  },
  operator_key_reported: {
    subject: 'A service key of this service was revoked',
    sentence:
      'Somebody who knows a service key of the operator has reported it as found in a public place. It was revoked at once, so programs that use it are refused now.',
    advice: 'Look in the audit log for what the key did, and create a new one for your programs.',
    pages: [['/app/operator/service-keys', 'See the service keys']],
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
  balance_low: {
    subject: 'Your prepaid balance is low',
    sentence: 'A read has taken the prepaid balance of your organisation below the amount of your warning.',
    advice: 'Fill it before it is empty: a read that it cannot pay is refused, and costs nothing.',
    pages: [['/app/reads/balance', 'Fill the balance']],
  },
  balance_filled: {
    subject: 'Your prepaid balance was filled',
    sentence: 'Money for the prepaid balance of your organisation has arrived.',
    advice: 'If you did not expect this, ask the operator of this service about the reference.',
    pages: [['/app/reads/balance', 'See the balance']],
  },
  payout_requested: {
    subject: 'A payout was requested',
    sentence: 'A payout of your income was requested. It cannot be taken back once it is sent.',
  },
} as const satisfies Readonly<Record<string, NoticeWords>>;

/** A change of an account of which its user is informed. */
export type AccountNotice = keyof typeof notices;

/**
 * Builds the email that tells a user about a change of the account.
 *
 * @param about A sentence that follows that of the notice.
 */
export function buildAccountNotice(
  publicUrl: string,
  {
    notice,
    about,
    at,
  }: { readonly notice: AccountNotice; readonly about: string | undefined; readonly at: Date },
): MailText {
  const { subject, sentence, advice, pages = [] }: NoticeWords = notices[notice];
  const happened = `This happened on ${formatUtcTime(at)}.`;
  return {
    subject,
    parts: [
      [sentence, ...(about === undefined ? [] : [about]), happened].join(' '),
      ...(advice === undefined ? buildAdvice(publicUrl) : [advice]),
      ...pages.map(([path, label]) => ({ link: `${publicUrl}${path}`, label })),
    ],
  };
}

function buildAdvice(publicUrl: string): readonly MailPart[] {
  return [
    'If this was not you, choose a new password at once, and then log out the devices and remove the passkeys that you do not know.',
    { link: `${publicUrl}/forgot-password`, label: 'Choose a new password' },
    { link: `${publicUrl}/app/account/devices`, label: 'See your devices' },
    { link: `${publicUrl}/app/account/passkeys`, label: 'See your passkeys' },
  ];
}
