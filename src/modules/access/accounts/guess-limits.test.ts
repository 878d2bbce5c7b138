import { describe, expect, it } from 'vitest';
import type { Refusal } from '#lib/refusal.ts';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { startApp } from '#test/harness.ts';
import { password, createEmail } from '#test/users.ts';
import { openApp } from '../../../app/app.ts';
import { runLimitedGuess, type Guess } from './guess-limits.ts';

const app = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });

const tries = 200;

/** Makes a guess and returns how many seconds to wait before the next one: 0 if it was checked. */
async function guess(
  overrides: Partial<Guess>,
  isRight = false,
  platform: Platform = app.platform,
): Promise<number> {
  const completeGuess = {
    what: 'password',
    account: 'a@example.org',
    user_id: undefined,
    address: '192.0.2.1',
    ...overrides,
  } as const;
  return runLimitedGuess(
    platform,
    completeGuess,
    async () => isRight,
    (matches) => matches,
  ).then(
    () => 0,
    (refusal: unknown) => Number((refusal as Refusal).extras.headers?.['retry-after']),
  );
}

async function countChecked(buildGuess: (index: number) => Partial<Guess>): Promise<number> {
  const waits = [];
  for (let index = 0; index < tries; index++) waits.push(await guess(buildGuess(index)));
  return waits.filter((wait) => wait === 0).length;
}

describe('of 200 wrong guesses', () => {
  it('only ten for one account from one address are checked, whether sequential or concurrent', async () => {
    const account = createEmail();
    expect(await countChecked(() => ({ account }))).toBe(10);
    const another = createEmail();
    const waits = await Promise.all(
      Array.from({ length: tries }, () => guess({ account: another, address: '192.0.2.7' })),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(waits.every((wait) => wait === 0 || wait === 900)).toBe(true);
  });

  it('only a hundred for 200 accounts from one network are checked, even from different IPv6 addresses', async () => {
    expect(await countChecked(() => ({ account: createEmail(), address: '203.0.113.9' }))).toBe(100);
    const buildAddress = (index: number) => `2001:db8:7:7:${index.toString(16)}::${index + 1}`;
    expect(await countChecked((index) => ({ account: createEmail(), address: buildAddress(index) }))).toBe(
      100,
    );
    expect(await guess({ account: createEmail(), address: '2001:db8:7:8::1' })).toBe(0);
  });

  it('only a hundred for one account from 200 addresses are checked', async () => {
    const account = createEmail();
    expect(await countChecked((index) => ({ account, address: `198.51.100.${index}` }))).toBe(100);
    expect(await guess({ account, address: '198.18.0.1' })).toBe(3_600);
  });

  it('only twenty for the codes of one account from 200 addresses are checked', async () => {
    const account = createEmail();
    expect(await countChecked((index) => ({ what: 'code', account, address: `198.51.100.${index}` }))).toBe(
      20,
    );
  });
});

describe('a window', () => {
  it('ends on time, even if guesses were refused in it', async () => {
    const account = createEmail();
    for (let index = 0; index < 10; index++) await guess({ account, address: '192.0.2.20' });
    app.clock.advance(899_000);
    expect(await guess({ account, address: '192.0.2.20' })).toBe(1);
    app.clock.advance(1_000);
    expect(await guess({ account, address: '192.0.2.20' })).toBe(0);
  });

  it('does not lock the user out after the clock was set back', async () => {
    const account = createEmail();
    app.clock.advance(86_400_000);
    for (let index = 0; index < 10; index++) await guess({ account, address: '192.0.2.21' });
    app.clock.advance(-86_400_000);
    expect(await guess({ account, address: '192.0.2.21' })).toBe(0);
  });

  it('does not count guesses that were right or failed with an error', async () => {
    const account = createEmail();
    const at = { account, address: '192.0.2.22' };
    const listAllowances = () =>
      app.sql.list(
        sql`select key_hash, guesses_left from guess_allowances where guesses_left between 90 and 100 order by key_hash`,
      );
    for (let index = 0; index < 9; index++) await guess(at);
    const before = await listAllowances();
    expect(await guess(at, true)).toBe(0);
    const failingGuess = runLimitedGuess(
      app.platform,
      { what: 'password', user_id: undefined, ...at },
      () => Promise.reject(new Error('failed')),
      Boolean,
    );
    await expect(failingGuess).rejects.toThrow('failed');
    expect(await listAllowances()).toEqual(before);
    for (let index = 0; index < 10; index++) expect(await guess(at)).toBe(0);
    expect(await guess(at)).toBeGreaterThan(0);
  });

  it('is shared by all processes and survives restarts', async () => {
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

describe('an attacker with many addresses', () => {
  it('blocks logins from unknown addresses for an hour, but not from the address of the user', async () => {
    const { email, user_id } = await app.registerMember();
    const logIn = (address: string, attempt = password) =>
      app.request('POST', '/auth/login', {
        body: { email, password: attempt },
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

  it('cannot tell whether an account exists: guesses at unknown email addresses are blocked as well', async () => {
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

it.each([
  ['203.0.113.8', (port: number) => `203.0.113.8:${port}`],
  ['2001:db8:7::8', (port: number) => `[2001:db8:7::8]:${port}`],
])('counts wrong passwords of one client, from whichever port: %s', async (address, write) => {
  const { email } = await app.registerMember();
  const logIn = (port: number, attempt: string) =>
    app.request('POST', '/auth/login', {
      body: { email, password: attempt },
      headers: { 'x-forwarded-for': write(port) },
    });
  const { body } = await logIn(5_000, password);
  const { data } = (await app.request('GET', '/auth/sessions', { token: body.access_token })).body;
  expect(data.find(({ current }: { current: boolean }) => current).address).toBe(address);
  const statuses = [];
  for (let port = 5_001; port <= 5_014; port++) statuses.push((await logIn(port, 'wrong')).status);
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
  expect(statuses.slice(10)).toEqual(Array(4).fill(429));
});

it('sends at most ten notices a day to an address that nobody has proven, and all of them to a proven one', async () => {
  const logInFromNewDevices = async ({ email }: { readonly email: string }) => {
    for (const device of Array.from('abcdefghijklm'))
      await app.request('POST', '/auth/login', {
        body: { email, password },
        headers: { 'user-agent': `device ${device}` },
      });
    await app.drainQueue();
    const mails = await app.readMails();
    return mails.filter(({ to, text }) => to.includes(email) && text.includes('network address')).length;
  };
  const unproven = await app.registerMember();
  const proven = await app.registerOrgAdmin();
  expect([await logInFromNewDevices(unproven), await logInFromNewDevices(proven)]).toEqual([10, 13]);
});

it('lets nobody use up the emails with which the owner of an address registers and verifies it', async () => {
  const email = createEmail();
  const statuses = [];
  for (let index = 0; index < 11; index++) {
    app.clock.advance(60_000);
    const { token } = await app.registerMember();
    statuses.push((await app.request('POST', '/auth/change-email', { token, body: { email } })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(202), 429]);
  const { status, body } = await app.request('POST', '/auth/register', { body: { email, password } });
  expect(status).toBe(201);
  const again = await app.request('POST', '/auth/resend-verification', { token: body.access_token });
  expect(again.status).toBe(202);
});

it('stores neither email addresses nor network addresses in plain text', async () => {
  const account = createEmail();
  await guess({ account, address: '192.0.2.99' });
  const { rows } = await app.sql.one(
    sql<{ rows: string }>`select string_agg(row_to_json(g)::text, ' ') as rows from guess_allowances g`,
  );
  for (const part of [account, '192.0.2.99', Buffer.from(account).toString('hex')])
    expect(rows).not.toContain(part);
});

describe('wrong claim codes from all networks together', () => {
  const tryCode = (address: string, isRight = false) =>
    guess({ what: 'claim_code', account: `TES-${tries}${address}`, address }, isRight);
  const computeKey = () =>
    app.platform.secrets.computeHmac('guess', JSON.stringify(['claim_code', 'overall']));

  it('leave each network fewer tries, refuse no right code, and are forgotten after an hour', async () => {
    expect(await tryCode('198.51.100.1')).toBe(0);
    const { guesses_left } = await app.sql.one(
      sql<{
        guesses_left: number;
      }>`select guesses_left from guess_allowances where key_hash = ${computeKey()}`,
    );
    expect(guesses_left).toBe(1_999);
    // A right code is not counted.
    expect(await tryCode('198.51.101.1', true)).toBe(0);
    await app.sql.run(sql`update guess_allowances set guesses_left = 1 where key_hash = ${computeKey()}`);
    expect(await tryCode('198.51.102.1')).toBe(0);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 5; attempt++) waits.push(await tryCode('198.51.103.1'));
    expect(waits).toEqual([0, 0, 0, 900, 900]);
    // Those who have a right code are not locked out, even if others try from many networks.
    for (let attempt = 0; attempt < 5; attempt++) expect(await tryCode('198.51.104.1', true)).toBe(0);
    app.clock.advance(3_601_000);
    for (let attempt = 0; attempt < 10; attempt++) expect(await tryCode('198.51.103.1')).toBe(0);
  });
});
