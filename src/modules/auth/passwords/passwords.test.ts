import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords.ts';
import { proves } from '#test/requirements.ts';

const password = 'Correct-Horse-7-Battery';

describe('a password hash', () => {
  it('is Argon2id with at least the OWASP minimum, salted, and names its parameters', async () => {
    proves('auth-password-hashed-argon2id');
    const stored = await hashPassword(password);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashPassword(password)).not.toBe(stored);
  });

  it('verifies its own password alone', async () => {
    const stored = await hashPassword(password);
    expect(await verifyPassword(stored, password)).toBe(true);
    expect(await verifyPassword(stored, `${password} `)).toBe(false);
    expect(await verifyPassword(undefined, password)).toBe(false);
  });

  it('takes a character however the keyboard composed it', async () => {
    const stored = await hashPassword('Caf\u00e9-Horse-7-Battery');
    expect(await verifyPassword(stored, 'Cafe\u0301-Horse-7-Battery')).toBe(true);
  });

  it('is outdated when it was made with other parameters', async () => {
    expect(isOutdatedHash(await hashPassword(password))).toBe(false);
    expect(isOutdatedHash(await hash(password, { memoryCost: 8_192, timeCost: 1 }))).toBe(true);
  });
});
