import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { readSources } from './config-sources.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'tessera-sources-'));
const write = async (name: string, content: string) => {
  await writeFile(path.join(folder, name), content);
  return path.join(folder, name);
};
const key = Buffer.alloc(32, 7).toString('base64');

test('a value is read from a file or a command, without the line break at its end', async () => {
  const file = await write('key', `${key}\n`);
  expect(readConfig({ TESSERA_MASTER_KEY_FILE: file }).masterKey).toEqual(
    readConfig({ TESSERA_MASTER_KEY: key }).masterKey,
  );
  const printed = readSources({ TESSERA_SMTP_URL_COMMAND: `printf 'smtp://mail\\r\\n'`, PATH: '/bin' }, [
    'TESSERA_SMTP_URL',
  ]);
  expect(printed).toEqual({ TESSERA_SMTP_URL: 'smtp://mail', PATH: '/bin' });
});

test('an empty source counts as unset, as an empty variable does', () => {
  const values = { TESSERA_MASTER_KEY: key, TESSERA_MASTER_KEY_FILE: '', TESSERA_MASTER_KEY_COMMAND: '' };
  expect(readSources(values, ['TESSERA_MASTER_KEY'])).toEqual({ TESSERA_MASTER_KEY: key });
});

test.each([
  [{ TESSERA_MASTER_KEY: key, TESSERA_MASTER_KEY_FILE: '/dev/null' }, /both set/],
  [{ TESSERA_MASTER_KEY_COMMAND: 'echo one', TESSERA_MASTER_KEY_FILE: import.meta.filename }, /both set/],
  [{ TESSERA_MASTER_KEY_FILE: '/nothing/here' }, /^TESSERA_MASTER_KEY_FILE cannot be read: ENOENT$/],
  [{ TESSERA_MASTER_KEY_FILE: '/etc' }, /^TESSERA_MASTER_KEY_FILE cannot be read: EISDIR$/],
  [{ TESSERA_MASTER_KEY_FILE: '/dev/null' }, /^TESSERA_MASTER_KEY_FILE is not valid: it has no content$/],
  [{ TESSERA_MASTER_KEY_FILE: '/dev/zero' }, /^TESSERA_MASTER_KEY_FILE is not valid: it has more than/],
  [{ TESSERA_MASTER_KEY_COMMAND: 'exit 3' }, /^TESSERA_MASTER_KEY_COMMAND cannot be read: exit code 3$/],
  [
    { TESSERA_MASTER_KEY_COMMAND: 'kill -9 $$' },
    /^TESSERA_MASTER_KEY_COMMAND cannot be read: ended by SIGKILL$/,
  ],
  [{ TESSERA_MASTER_KEY_COMMAND: 'yes' }, /^TESSERA_MASTER_KEY_COMMAND cannot be read: ENOBUFS$/],
  [{ TESSERA_NOTHING_FILE: import.meta.filename }, /TESSERA_NOTHING_FILE is not a variable/],
])('refuses %j in one line that names the variable', (environment, reason) => {
  expect(() => readConfig(environment)).toThrow(reason);
});

test('a refusal never has the content', async () => {
  const file = await write('wrong', 'a-secret-that-is-no-key');
  expect(() => readConfig({ TESSERA_MASTER_KEY_FILE: file })).toThrow(/TESSERA_MASTER_KEY/);
  expect(() => readConfig({ TESSERA_MASTER_KEY_FILE: file })).not.toThrow(/a-secret/);
});
