import { describeDomain } from './describe-domain.ts';
import { formatUtcTime } from '#platform/format-utc-time.ts';
import type { MailText } from '../send-mail.ts';

/** Builds the email with the link that verifies the address of a new account. */
export function buildVerification(publicUrl: string, token: string, hours: number): MailText {
  return {
    subject: 'Verify your email address',
    parts: [
      `An account with this email address was created at ${new URL(publicUrl).host}. If it is yours, verify the address within ${hours} hours:`,
      { link: `${publicUrl}/verify-email?token=${token}`, label: 'Verify this address' },
      'If it is not yours, do not open the link: the address remains unverified. To take the account over, request a new password for it.',
    ],
  };
}

/** Builds the email with the link that opens an account, or the email to the owner of an address that has one. */
export function buildAccountLink(
  publicUrl: string,
  token: string,
  { hours, hasAccount }: { readonly hours: number; readonly hasAccount: boolean },
): MailText {
  const { host } = new URL(publicUrl);
  if (hasAccount)
    return {
      subject: 'You have an account already',
      parts: [
        `Somebody, probably you, asked to open an account at ${host} with this email address, which has one already. Log in:`,
        { link: `${publicUrl}/sign-in`, label: 'Log in' },
        'If you do not know the password any more, choose a new one:',
        { link: `${publicUrl}/forgot-password`, label: 'Choose a new password' },
        'If it was not you, ignore this email: nothing was changed, and the person who asked does not learn that the account exists.',
      ],
    };
  return {
    subject: 'Open your account',
    parts: [
      `Somebody, probably you, asked to open an account at ${host} with this email address. Choose a password within ${hours} hours, and it is open:`,
      { link: `${publicUrl}/open-account?token=${token}`, label: 'Open my account' },
      'If it was not you, ignore this email: nothing is stored.',
    ],
  };
}

/** Builds the email with the link that makes a new address the address of an account. */
export function buildEmailChange(publicUrl: string, token: string, hours: number): MailText {
  return {
    subject: 'Verify your new email address',
    parts: [
      `An account at ${new URL(publicUrl).host} will use this email address. If the account is yours, verify the address within ${hours} hours:`,
      { link: `${publicUrl}/verify-email?token=${token}`, label: 'Verify this address' },
      'If another account was registered with this address and never verified it, that account is closed, and its data is erased.',
      'If the account is not yours, ignore this email. The account does not get this address unless the link is opened.',
    ],
  };
}

/** Builds the email with the link that keeps a first mirror. */
export function buildMirrorLink(
  publicUrl: string,
  token: string,
  { hours, hasAccount }: { readonly hours: number; readonly hasAccount: boolean },
): MailText {
  const { host } = new URL(publicUrl);
  const link = `${publicUrl}/keep-mirror?token=${token}`;
  const ignore = 'If it was not you, ignore this email: nothing is stored.';
  if (hasAccount)
    return {
      subject: 'Your answers, and your account',
      parts: [
        `Somebody, probably you, answered a few statements at ${host} and wants to keep them. This address has an account already. Log in there within ${hours} hours, and the answers begin your assessment if you have not begun one:`,
        { link, label: 'Log in and keep my answers' },
        ignore,
      ],
    };
  return {
    subject: 'Keep your first answers',
    parts: [
      `You answered a few statements at ${host}. This link keeps them, and opens your account, within ${hours} hours:`,
      { link, label: 'Keep my answers' },
      ignore,
    ],
  };
}

/** Builds an email to a volunteer: the link that confirms the address, or the invitation to the second test. */
export function buildVolunteerMail(
  publicUrl: string,
  token: string,
  {
    kind,
    hours,
    days,
  }: { readonly kind: 'confirmation' | 'invitation'; readonly hours: number; readonly days: number },
): MailText {
  const { host } = new URL(publicUrl);
  if (kind === 'confirmation')
    return {
      subject: 'Your second test in four weeks',
      parts: [
        `Somebody, probably you, answered statements for science at ${host} and asked for an invitation to a second test in four weeks. Confirm your address within ${hours} hours:`,
        { link: `${publicUrl}/science-retest?token=${token}`, label: 'Invite me in four weeks' },
        'The address is stored only then, encrypted, and deleted when the invitation is sent. The same link deletes it earlier. If it was not you, ignore this email.',
      ],
    };
  return {
    subject: 'Your second test',
    parts: [
      `Four weeks ago you answered statements for science at ${host}. A second test shows how stable such results are. You can begin it within ${days} days:`,
      { link: `${publicUrl}/science?invitation=${token}`, label: 'Begin the second test' },
      'This is the only invitation. Your address is deleted from our database.',
    ],
  };
}

/** Builds the email with the link to choose a new password. */
export function buildPasswordReset(publicUrl: string, token: string, minutes: number): MailText {
  return {
    subject: 'Choose a new password',
    parts: [
      `A new password was requested for your account at ${new URL(publicUrl).host}. You can choose it within ${minutes} minutes:`,
      { link: `${publicUrl}/reset-password?token=${token}`, label: 'Choose a new password' },
      'The link works once. A new password logs out all your devices. If you did not request it, ignore this email: your password does not change.',
    ],
  };
}

/** Builds the email to the owner of an address for which single sign-on of an organisation that does not hold the domain created an account. */
export function buildDisplacement(publicUrl: string, token: string, minutes: number): MailText {
  return {
    subject: 'Get your email address back',
    parts: [
      `A new password was requested for your address at ${new URL(publicUrl).host}. An organisation created the account with this address, and the organisation has not proven that the domain of the address is its own.`,
      `If you do not work for that organisation, open this link within ${minutes} minutes. It removes that account, and creates an account of a member with your address and the password that you choose:`,
      { link: `${publicUrl}/reset-password?token=${token}`, label: 'Get my address back' },
      'If you log in through that organisation, do not open the link, because you would lose your access: ask its administrator to verify the domain. The link works once.',
    ],
  };
}

/** When a deletion was requested and will take effect. */
export type DeletionTimes = { readonly requested_at: Date; readonly erase_after: Date };

/**
 * Builds the email that confirms the deletion of an account, with the link that cancels it.
 *
 * @param token Undefined if the account is erased at once.
 */
export function buildDeletion(
  publicUrl: string,
  token: string | undefined,
  { requested_at, erase_after }: DeletionTimes,
): MailText {
  const { host } = new URL(publicUrl);
  const request = `The deletion of your account at ${host} was requested on ${formatUtcTime(requested_at)}. All your devices were logged out.`;
  if (token === undefined)
    return {
      subject: 'Your account is being deleted',
      parts: [`${request} Your data is being erased now, which cannot be undone.`],
    };
  return {
    subject: 'Your account will be deleted',
    parts: [
      request,
      `Your data will be erased after ${formatUtcTime(erase_after)}. Until then, you can keep your account:`,
      { link: `${publicUrl}/cancel-deletion?token=${token}`, label: 'Keep my account' },
      'If you did not request the deletion, keep your account now. The page that opens then also lets you choose a new password.',
    ],
  };
}

/** An invitation to join an organisation: its name, the domain that it has proven to be its own, the role in words, and for how many days the link works. */
export type InvitationFacts = {
  readonly organisation: string;
  readonly domain: string | null;
  readonly role: string;
  readonly days: number;
};

/** Builds the email with the link that accepts an invitation. */
export function buildInvitation(
  publicUrl: string,
  token: string,
  { organisation, domain, role, days }: InvitationFacts,
): MailText {
  return {
    subject: 'You are invited to Tessera',
    parts: [
      'An organisation with the name',
      { words: organisation },
      describeDomain(domain),
      `invites you to join it on Tessera at ${new URL(publicUrl).host}, as ${role}. To accept, choose a password within ${days} days:`,
      { link: `${publicUrl}/accept-invitation?token=${token}`, label: 'Accept the invitation' },
      'The link works once. If an account was registered with this address and never verified it, accepting closes that account, and its data is erased.',
      'If you do not know this organisation, ignore this email. Your address cannot be used without the link.',
    ],
  };
}

/** An invitation to a job: who invites, the domain that the organisation has proven to be its own, and for how many days it can be answered. */
type CandidateInvitationFacts = {
  readonly organisation: string;
  readonly domain: string | null;
  readonly job_title: string;
  readonly days: number;
};

/** Builds the email with the link by which a person answers an invitation to a job. It says the same whether or not the address has an account. */
export function buildCandidateInvitation(
  publicUrl: string,
  token: string,
  { organisation, domain, job_title, days }: CandidateInvitationFacts,
): MailText {
  return {
    subject: 'You are invited to be considered for a job',
    parts: [
      'An organisation with the name',
      { words: organisation },
      `${describeDomain(domain)} knows your email address, and invites you to be considered for the job`,
      { words: job_title },
      `at ${new URL(publicUrl).host}. Nothing happens unless you take part. You can answer within ${days} days:`,
      { link: `${publicUrl}/invitation?token=${token}`, label: 'See the invitation' },
      'The same page lets you decline, and end all invitations from this organisation. It does not learn whether you open this email or have an account here. If you do nothing, the invitation ends, and we delete your address from it.',
    ],
  };
}
