import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMailedToken } from './read-mailed-token.ts';

test('the token is that of the address, although another email is just being written and renamed', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tessera-mails-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // A link to nothing is listed and cannot be read, like a file that was renamed after it was listed.
  await symlink('renamed', path.join(folder, '.20260302T090000000Z-000001-0a1b2c3d.eml.tmp'));
  const writeMail = (name: string, to: string, token: string) =>
    writeFile(
      path.join(folder, name),
      `To: ${to}\r\n\r\nhttp://localhost/verify-email?token=3D=\r\n${token}\r\n`,
    );
  await writeMail('1.eml', 'other@example.org', 'o'.repeat(43));
  await writeMail('2.eml', 'ada@example.org', 'a'.repeat(43));
  expect(await readMailedToken(folder, 'ada@example.org')).toBe('a'.repeat(43));
});
