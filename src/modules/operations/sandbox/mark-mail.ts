import { insertIntoBody } from '#platform/insert-into-body.ts';
import type { Mail, Mailer } from '#platform/mail.ts';

const sentence = 'This email comes from a sandbox: its people and payments are made up.';

/** Wraps the mailer of a sandbox, so that each email says where it comes from. */
export function markMails(mailer: Mailer): Mailer {
  return { ...mailer, send: (mail) => mailer.send(markMail(mail)) };
}

function markMail(mail: Mail): Mail {
  return {
    ...mail,
    subject: `[Sandbox] ${mail.subject}`,
    text: `${sentence}\n\n${mail.text}`,
    html: insertIntoBody(mail.html, `<p><strong>${sentence}</strong></p>`),
  };
}
