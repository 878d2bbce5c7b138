import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const attempts_max = 600;
const pause_ms = 100;

/**
 * Waits for the verification email in the folder of emails and reads the token from it, as the recipient would.
 *
 * @throws Error after a minute.
 */
export async function readMailedToken(folder: string, email: string): Promise<string> {
  for (let attempts = 0; attempts < attempts_max; attempts++) {
    for (const name of await listMails(folder)) {
      const mail = (await readFile(path.join(folder, name), 'utf8')).replace(/=\r?\n/g, '');
      const token = mail.includes(email) ? /token=(?:3D)?([\w-]{20,})/.exec(mail)?.[1] : undefined;
      if (token) return token;
    }
    await pause(pause_ms);
  }
  throw new Error(`no verification email for ${email} arrived in ${folder}`);
}

/** The complete emails. The mailer gives an unfinished one a name with a dot in front, and renames it. */
async function listMails(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => !name.startsWith('.'));
}
