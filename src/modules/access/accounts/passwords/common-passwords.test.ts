import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { password } from '#test/users.ts';
import { checkNewPassword, checkPasswordWords } from '../accounts/new-account.ts';
import { isCommonPassword } from './common-passwords.ts';

const require = createRequire(import.meta.url);
const rankedPasswords = JSON.parse(
  readFileSync(require.resolve('@zxcvbn-ts/language-common/src/passwords.json'), 'utf8'),
) as string[];

it('refuses the 3,000 most common passwords, and their usual variations that meet the password rule', async () => {
  for (const common of rankedPasswords.slice(0, 3_000)) {
    const capital = common.slice(0, 1).toUpperCase() + common.slice(1);
    for (const variation of [common, common.toUpperCase(), `${capital}2024!`, `!1${common}`, `Aa${common}1!`])
      expect([variation, await isCommonPassword(variation)]).toEqual([variation, true]);
  }
});

it('accepts individual and generated passwords', async () => {
  for (const uncommon of [password, 'Another-Horse-8-Stable', 'Demo-Password-2026', 'tr4in-Window-Cloud!'])
    expect([uncommon, await isCommonPassword(uncommon)]).toEqual([uncommon, false]);
  for (let drawn = 0; drawn < 2_000; drawn++) {
    const generated = randomBytes(12).toString('base64');
    expect([generated, await isCommonPassword(generated)]).toEqual([generated, false]);
  }
});

it('refuses the name of the service', async () => {
  for (const variation of ['Tessera-2026!!', '!!T3ss3r4-2026'])
    expect([variation, await isCommonPassword(variation)]).toEqual([variation, true]);
});

it.each([
  ['Ada.Lind-2026!', ['ada.lind@member.example']],
  ['Adalind-2026!!', ['ada.lind@member.example']],
  ['Lindgren-2026!', [undefined, 'Ada Lindgren']],
] as const)('refuses %s, which says what is known about the account', (known, own) => {
  expect(() => checkPasswordWords(known, own)).toThrow(
    expect.objectContaining({ code: 'password_too_common' }),
  );
});

it('accepts a password in which a word of the account is one of several', () => {
  for (const own of [['ada.lind@member.example'], ['Ada Lind'], ['horse@member.example'], ['a@b.example']])
    expect(() => checkPasswordWords('Correct-Horse-9-Ada', own)).not.toThrow();
});

it('the refusal names the field but not the password', async () => {
  const checking = checkNewPassword('Qwertyuiop12!', '/password');
  await expect(checking).rejects.toMatchObject({
    code: 'password_too_common',
    extras: { errors: [{ pointer: '/password' }] },
  });
  await expect(checking).rejects.not.toThrow(/qwerty/i);
});
