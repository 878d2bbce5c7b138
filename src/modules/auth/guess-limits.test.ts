import { beforeAll, describe, expect, it } from 'vitest';
import { openApp } from '../../app.ts';
import { runLimitedGuess, type Guess } from './guess-limits.ts';
import type { Refusal } from '#lib/refusal.ts';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
});

const tries = 200;

/** Whether a guess was looked at, and where it was not, for how many seconds it has to wait. */
async function guess(
  guessed: Partial<Guess>,
  right = false,
  platform: Platform = app.platform,
): Promise<number> {
  const whole = {
    what: 'password',
    account: 'a@example.org',
    user_id: undefined,
    address: '192.0.2.1',
    ...guessed,
  } as const;
  return runLimitedGuess(
    platform,
    whole,
    async () => right,
    (result) => result,
  ).then(
    () => 0,
    (refused: unknown) => Number((refused as Refusal).extras.headers?.['retry-after']),
  );
}

async function lookedAt(guesses: (index: number) => Partial<Guess>): Promise<number> {
  const waits = [];
  for (let index = 0; index < tries; index++) waits.push(await guess(guesses(index)));
  return waits.filter((wait) => wait === 0).length;
}

describe('of 200 wrong guesses', () => {
  it('at one account from one address ten are looked at, one after the other or all at once', async () => {
    const account = createEmail();
    expect(await lookedAt(() => ({ account }))).toBe(10);
    const another = createEmail();
    const waits = await Promise.all(
      Array.from({ length: tries }, () => guess({ account: another, address: '192.0.2.7' })),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(waits.every((wait) => wait === 0 || wait === 900)).toBe(true);
  });

  it('at 200 accounts from one network a hundred are, however many addresses of it an IPv6 connection has', async () => {
    expect(await lookedAt(() => ({ account: createEmail(), address: '203.0.113.9' }))).toBe(100);
    const host = (index: number) => `2001:db8:7:7:${index.toString(16)}::${index + 1}`;
    expect(await lookedAt((index) => ({ account: createEmail(), address: host(index) }))).toBe(100);
    expect(await guess({ account: createEmail(), address: '2001:db8:7:8::1' })).toBe(0);
  });

  it('at one account from 200 addresses a hundred are', async () => {
    const account = createEmail();
    expect(await lookedAt((index) => ({ account, address: `198.51.100.${index}` }))).toBe(100);
    expect(await guess({ account, address: '198.18.0.1' })).toBe(3_600);
  });

  it('at one account’s codes from 200 addresses twenty are', async () => {
    const account = createEmail();
    expect(await lookedAt((index) => ({ what: 'code', account, address: `198.51.100.${index}` }))).toBe(20);
  });
});

describe('a window', () => {
  it('ends, and what was refused in it has not made it longer', async () => {
    const account = createEmail();
    for (let index = 0; index < 10; index++) await guess({ account, address: '192.0.2.20' });
    app.clock.advance(899_000);
    expect(await guess({ account, address: '192.0.2.20' })).toBe(1);
    app.clock.advance(1_000);
    expect(await guess({ account, address: '192.0.2.20' })).toBe(0);
  });

  it('locks nobody out when the clock was set back', async () => {
    const account = createEmail();
    app.clock.advance(86_400_000);
    for (let index = 0; index < 10; index++) await guess({ account, address: '192.0.2.21' });
    app.clock.advance(-86_400_000);
    expect(await guess({ account, address: '192.0.2.21' })).toBe(0);
  });

  it('takes nothing for what was right, or broke off', async () => {
    const account = createEmail();
    const at = { account, address: '192.0.2.22' };
    const left = () =>
      app.sql.list(
        sql`select key_hash, guesses_left from guess_allowances where guesses_left between 90 and 100 order by key_hash`,
      );
    for (let index = 0; index < 9; index++) await guess(at);
    const before = await left();
    expect(await guess(at, true)).toBe(0);
    const broken = runLimitedGuess(
      app.platform,
      { what: 'password', user_id: undefined, ...at },
      () => Promise.reject(new Error('away')),
      Boolean,
    );
    await expect(broken).rejects.toThrow('away');
    expect(await left()).toEqual(before);
    for (let index = 0; index < 10; index++) expect(await guess(at)).toBe(0);
    expect(await guess(at)).toBeGreaterThan(0);
  });

  it('is the same for every process, and outlives them', async () => {
    const account = createEmail();
    for (let index = 0; index < 6; index++) await guess({ account, address: '192.0.2.23' });
    const { config, log } = app.platform;
    const second = await openApp(config, app.sql.settings, { clock: app.clock, log });
    try {
      for (let index = 0; index < 4; index++)
        expect(await guess({ account, address: '192.0.2.23' }, false, second.platform)).toBe(0);
      expect(await guess({ account, address: '192.0.2.23' }, false, second.platform)).toBe(900);
    } finally {
      await second.close();
    }
    expect(await guess({ account, address: '192.0.2.23' })).toBe(900);
  });
});

describe('an attacker from everywhere', () => {
  it('closes an account to strangers for an hour, and never to its user at their usual address', async () => {
    const { email, user_id } = await app.registerMember();
    const logIn = (address: string, chosen = password) =>
      app.request('POST', '/auth/login', {
        body: { email, password: chosen },
        headers: { 'x-forwarded-for': address },
      });
    expect((await logIn('2001:db8:1:1::5')).status).toBe(200);
    const attack = async () => {
      for (let index = 0; index < tries; index++)
        await guess({ account: email, user_id, address: `198.51.100.${index}` });
    };
    for (let hour = 0; hour < 3; hour++) {
      await attack();
      expect((await logIn('198.18.5.5')).status).toBe(429);
      expect((await logIn('2001:db8:1:1:9:9:9:9')).status).toBe(200);
      expect((await logIn('2001:db8:1:1::5', `${password}x`)).status).toBe(401);
      app.clock.advance(1_800_000);
    }
    app.clock.advance(3_600_000);
    expect((await logIn('198.18.5.5')).status).toBe(200);
  });

  it('learns nothing by it: an address without an account is closed alike', async () => {
    const unknown = createEmail();
    for (let index = 0; index < 100; index++)
      await guess({ account: unknown, address: `198.51.100.${index}` });
    const { status, body } = await app.request('POST', '/auth/login', {
      body: { email: unknown, password },
      headers: { 'x-forwarded-for': '198.18.6.6' },
    });
    expect([status, body.code]).toEqual([429, 'too_many_requests']);
  });
});

it('keeps no address that somebody tried, or tried from', async () => {
  const account = createEmail();
  await guess({ account, address: '192.0.2.99' });
  const { rows } = await app.sql.one(
    sql<{ rows: string }>`select string_agg(row_to_json(g)::text, ' ') as rows from guess_allowances g`,
  );
  for (const part of [account, '192.0.2.99', Buffer.from(account).toString('hex')])
    expect(rows).not.toContain(part);
});
