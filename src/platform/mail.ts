import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { Clock } from '#platform/clock.ts';
import type { MailOutcome } from '#platform/telemetry/metrics.ts';

/** A message to one address. */
export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same words with their look; `renderMail` writes both. */
  readonly html: string;
  /** An https URL that stops such emails when a mail program posts to it (RFC 8058). */
  readonly unsubscribe_url?: string;
};

export type Mailer = {
  /** Resolves once the server has accepted the email or its file is written. Rejects otherwise, so that the task tries again. */
  send(mail: Mail): Promise<void>;
  close(): Promise<void>;
};

export type MailerOptions = {
  /** `smtp://` or `smtps://`, with credentials where needed; `?requireTLS=true` refuses a server without STARTTLS. */
  readonly smtpUrl: string | undefined;
  /** The directory for emails if no SMTP server is configured. */
  readonly mailDir: string;
  /** The sender, such as `Tessera <no-reply@example.org>`. */
  readonly from: string;
  readonly clock: Clock;
};

/** The number of mails that a process sends at the same time. */
export const parallel_mails = 5;

const send_timeout_ms = 60_000;
const subject_characters_max = 200;
const address_characters_max = 254;

/** Nodemailer must not read files or URLs that a field of an email could name. */
const noExternalAccess = { disableFileAccess: true, disableUrlAccess: true } as const;

/** Wraps a mailer so that the outcome of each mail is counted. */
export function countMails(mailer: Mailer, count: (outcome: MailOutcome) => void): Mailer {
  return {
    ...mailer,
    send: async (mail) => {
      try {
        await mailer.send(mail);
      } catch (error) {
        count('failed');
        throw error;
      }
      count('sent');
    },
  };
}

/** Opens a mailer that sends by SMTP or, without a server, writes `.eml` files into a directory. Both produce the same message (RFC 5322). */
export function openMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === undefined
    ? openDirectoryMailer(options)
    : openSmtpMailer(options, options.smtpUrl);
}

function openSmtpMailer({ from, clock }: MailerOptions, smtpUrl: string): Mailer {
  const transport = createTransport({
    ...noExternalAccess,
    url: smtpUrl,
    pool: true,
    maxConnections: parallel_mails,
    maxRequeues: 1,
    connectionTimeout: 10_000,
    dnsTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
  });
  return {
    send: async (mail) => {
      // The socket timeouts do not stop a server that sends its replies very slowly. The signal does.
      await transport.sendMail({
        ...buildMessage(mail, from, clock.now()),
        signal: AbortSignal.timeout(send_timeout_ms),
      });
    },
    close: async () => transport.close(),
  };
}

function openDirectoryMailer({ mailDir, from, clock }: MailerOptions): Mailer {
  const transport = createTransport({
    ...noExternalAccess,
    streamTransport: true,
    buffer: true,
    newline: 'windows',
  });
  let sent = 0;
  return {
    send: async (mail) => {
      const now = clock.now();
      const name = formatFileName(now, ++sent);
      const { message } = await transport.sendMail(buildMessage(mail, from, now));
      // With the option `buffer`, the message is a Buffer.
      await writeFileAtomically(mailDir, name, message as Buffer);
    },
    close: async () => {},
  };
}

/** Formats a name that sorts by time, and then by the order in which this process sent. */
function formatFileName(now: Date, sent: number): string {
  const time = now.toISOString().replace(/[-:.]/g, '');
  return `${time}-${String(sent).padStart(6, '0')}-${randomBytes(4).toString('hex')}.eml`;
}

/** Writes the file under another name first, so that a program that watches the directory never reads an incomplete email. */
async function writeFileAtomically(directory: string, name: string, content: Buffer): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unfinished = path.join(directory, `.${name}.tmp`);
  try {
    await writeFile(unfinished, content, { mode: 0o600, flag: 'wx' });
    await rename(unfinished, path.join(directory, name));
  } catch (error) {
    // On a full disk, each attempt would leave another part of the file.
    await rm(unfinished, { force: true });
    throw error;
  }
}

function buildMessage(
  { to, subject, text, html, unsubscribe_url }: Mail,
  from: string,
  now: Date,
): SendMailOptions {
  // Nodemailer would parse a string as a list of recipients. It uses the address of an object as it is.
  return {
    from,
    to: { name: '', address: checkAddress(to) },
    subject: formatSubject(subject),
    text,
    html,
    ...(unsubscribe_url !== undefined && {
      headers: {
        'List-Unsubscribe': { prepared: true, value: `<${unsubscribe_url}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
    }),
    date: now,
  };
}

/** A recipient is user input: anything but a plain `local@domain` could name further recipients or start another header. */
function checkAddress(to: string): string {
  // eslint-disable-next-line no-control-regex -- the expression refuses control characters.
  const plain = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]+$/;
  if (to.length > address_characters_max || !plain.test(to))
    throw new Error('the recipient of an email must be one plain address');
  return to;
}

/** A subject may quote user input, such as a title, and a line break in it would start another header. */
function formatSubject(subject: string): string {
  return subject.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').slice(0, subject_characters_max);
}
