import { hash } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { proves } from '#test/requirements.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from './passwords.ts';

const password = 'Correct-Horse-7-Battery';

describe('a password hash', () => {
  it('uses Argon2id with the OWASP minimum and a salt, and contains its parameters', async () => {
    proves('auth-password-hashed-argon2id');
    const stored_hash = await hashPassword(password);
    expect(stored_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hashPassword(password)).not.toBe(stored_hash);
  });

  it('matches only its password', async () => {
    const stored_hash = await hashPassword(password);
    expect(await verifyPassword(stored_hash, password)).toBe(true);
    expect(await verifyPassword(stored_hash, `${password} `)).toBe(false);
    expect(await verifyPassword(undefined, password)).toBe(false);
  });

  it('matches a character in composed and decomposed form', async () => {
    const stored_hash = await hashPassword('Caf\u00e9-Horse-7-Battery');
    expect(await verifyPassword(stored_hash, 'Cafe\u0301-Horse-7-Battery')).toBe(true);
  });

  it('is outdated if it was computed with other parameters', async () => {
    expect(isOutdatedHash(await hashPassword(password))).toBe(false);
    expect(isOutdatedHash(await hash(password, { memoryCost: 8_192, timeCost: 1 }))).toBe(true);
  });
});
