import type { MailText } from '../send-mail.ts';

const reasons = {
  failures: 'ten attempts in a row have failed',
  gone: 'its server replied that this address is gone',
} as const;

/** A webhook subscription that was deactivated, and why. */
export type Deactivation = {
  readonly id: string;
  readonly url: string;
  readonly reason: keyof typeof reasons;
};

/** Builds the email that tells an administrator that a webhook subscription was deactivated. */
export function buildDeactivation(publicUrl: string, { id, url, reason }: Deactivation): MailText {
  return {
    subject: 'A webhook of your organisation was deactivated',
    parts: [
      `Tessera no longer sends events to ${new URL(url).host}, because ${reasons[reason]}.`,
      'See the attempts and their errors. Once the server works, enable the subscription, and then recover what it has missed:',
      { link: `${publicUrl}/app/webhooks/${id}`, label: 'See what went wrong' },
    ],
  };
}
