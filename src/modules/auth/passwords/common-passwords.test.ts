import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { isCommonPassword } from './common-passwords.ts';
import { hashNewPassword } from '../accounts/new-account.ts';
import { password } from '#test/users.ts';

const require = createRequire(import.meta.url);
const ranked = JSON.parse(
  readFileSync(require.resolve('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8'),
) as string[];

it('the 3,000 commonest passwords are refused, as they are and as people dress them up for the rule', async () => {
  for (const common of ranked.slice(0, 3_000)) {
    const capital = common.slice(0, 1).toUpperCase() + common.slice(1);
    for (const dressed of [common, common.toUpperCase(), `${capital}2024!`, `!1${common}`, `Aa${common}1!`])
      expect([dressed, await isCommonPassword(dressed)]).toEqual([dressed, true]);
  }
});

it('a password that only a person or a generator could have chosen is taken', async () => {
  for (const fine of [password, 'Another-Horse-8-Stable', 'Demo-Password-2026', 'tr4in-Window-Cloud!'])
    expect([fine, await isCommonPassword(fine)]).toEqual([fine, false]);
  for (let drawn = 0; drawn < 2_000; drawn++) {
    const generated = randomBytes(12).toString('base64');
    expect([generated, await isCommonPassword(generated)]).toEqual([generated, false]);
  }
});

it('the refusal names the field, and not the password', async () => {
  const refused = hashNewPassword('Qwertyuiop12!', '/password');
  await expect(refused).rejects.toMatchObject({
    code: 'password_too_common',
    extras: { errors: [{ pointer: '/password' }] },
  });
  await expect(refused).rejects.not.toThrow(/qwerty/i);
});
