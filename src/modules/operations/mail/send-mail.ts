import type { Mail } from '#platform/mail.ts';
import { parallel_mails } from '#platform/mail.ts';
import type { Services } from '#platform/platform.ts';
import { renderMail, type MailPart } from './render-mail.ts';

/** The words of an email; `parts` follow the greeting. */
export type MailText = { readonly subject: string; readonly parts: readonly MailPart[] };

/** Who gets an email. */
export type Recipient = {
  readonly email: string;
  /** The name that the email greets; undefined for a stranger. */
  readonly name: string | undefined;
} & Pick<Mail, 'unsubscribe_url'>;

/** The settings of every task that sends an email: it is tried for about twenty minutes. */
export const mailTask = { retry_seconds: [10, 60, 300, 900], parallel: parallel_mails } as const;

/**
 * Sends an email in the look of the service.
 *
 * @throws if the mail server does not accept it, so that the task tries again.
 */
export async function sendMail(
  { mailer, config }: Pick<Services, 'mailer' | 'config'>,
  { email, name, ...rest }: Recipient,
  { subject, parts }: MailText,
): Promise<void> {
  await mailer.send({
    to: email,
    ...rest,
    ...renderMail({ subject, name, parts, publicUrl: config.publicUrl }),
  });
}
