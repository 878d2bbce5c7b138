import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The folders into which the processes of a cluster write their mails. */
export type Mailbox = {
  /** Finds the token of the newest mail to an address that has one. */
  readonly findToken: (email: string) => Promise<string | undefined>;
  /** Counts the addresses to which a mail with a token was written. */
  readonly countAddresses: () => Promise<number>;
};

/** Opens a mailbox, which reads each mail once. */
export function openMailbox(folders: readonly string[]): Mailbox {
  const tokens = new Map<string, string>();
  const seen = new Set<string>();
  const readNew = async () => {
    for (const folder of folders)
      for (const name of await readdir(folder).catch(() => [])) {
        const file = path.join(folder, name);
        if (!name.endsWith('.eml') || name.startsWith('.') || seen.has(file)) continue;
        seen.add(file);
        const mail = (await readFile(file, 'utf8')).replace(/=\r?\n/g, '');
        const email = /^To: .*?([\w.-]+@[\w.-]+)/im.exec(mail)?.[1];
        const token = /token=(?:3D)?([\w-]{20,})/.exec(mail)?.[1];
        if (email !== undefined && token !== undefined) tokens.set(email, token);
      }
  };
  return {
    findToken: async (email) => {
      if (!tokens.has(email)) await readNew();
      return tokens.get(email);
    },
    countAddresses: async () => {
      await readNew();
      return tokens.size;
    },
  };
}
