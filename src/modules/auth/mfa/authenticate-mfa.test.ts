import { beforeAll, describe, expect, it } from 'vitest';
import {
  computeTotpCode,
  enableMfa,
  requestTicket,
  findWrongCode,
  type EnabledMfa,
} from '#test/modules/auth.ts';
import { sql } from '#platform/database/database.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { createEmail, type TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const authenticate = (body: object, on = app) => on.request('POST', '/auth/mfa/authenticate', { body });
const protectedPerson = async (on = app): Promise<TestMember & EnabledMfa> => {
  const person = await on.registerMember();
  return { ...person, ...(await enableMfa(on, person)) };
};
const sessionsOf = async (user_id: string) =>
  (await app.sql.list(sql`select id from sessions where user_id = ${user_id}`)).length;

describe('a login with MFA enabled', () => {
  it('answers 200 with a ticket instead of tokens, and signs nobody in', async () => {
    proves(
      'mfa-login-returns-ticket-not-tokens',
      'mfa-methods-value-totp',
      'error-mfa-required-login-is-200',
    );
    const person = await protectedPerson();
    const { email, password, user_id } = person;
    const before = await sessionsOf(user_id);
    const { status, body, headers } = await app.request('POST', '/auth/login', { body: { email, password } });
    expect([status, body]).toEqual([
      200,
      { mfa_required: true, mfa_methods: ['totp'], mfa_ticket: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    expect(headers['set-cookie']).toBeUndefined();
    expect(await sessionsOf(user_id)).toBe(before);
    const stored = await app.sql.list(
      sql<{ row: string }>`select row_to_json(t)::text as row from mfa_tickets t`,
    );
    expect(JSON.stringify(stored)).not.toContain(body.mfa_ticket);
    expect(
      (await app.request('POST', '/auth/login', { body: { email, password: `${password}x` } })).body.code,
    ).toBe('credentials_wrong');
  });

  it('is completed by the ticket and a code, with the normal login response', async () => {
    proves(
      'mfa-authenticate-endpoint-public',
      'mfa-authenticate-totp-or-recovery-code',
      'mfa-authenticate-returns-login-response',
    );
    const person = await protectedPerson();
    const { email, user_id, member_id, secret } = person;
    const mfa_ticket = await requestTicket(app, person);
    const { status, body, headers } = await authenticate({
      mfa_ticket,
      code: computeTotpCode(secret, app.clock),
      email: email.toUpperCase(),
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 21_600,
      user: {
        id: user_id,
        email,
        role: 'member',
        linked_entity_id: member_id,
        last_login: app.clock.now().toISOString(),
      },
    });
    expect(String(headers['set-cookie'])).toMatch(
      /^refresh_token=[\w-]{43}; .*HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await app.request('GET', '/auth/me', { token: body.access_token })).body.id).toBe(user_id);
  });
});

describe('a ticket', () => {
  it('works once, also for fifty at once with the right code', async () => {
    proves('mfa-ticket-single-use');
    const person = await protectedPerson();
    const mfa_ticket = await requestTicket(app, person);
    const before = await sessionsOf(person.user_id);
    const code = computeTotpCode(person.secret, app.clock);
    const answers = await Promise.all(Array.from({ length: 50 }, () => authenticate({ mfa_ticket, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'mfa_ticket_invalid')).toHaveLength(49);
    app.clock.advance(60_000);
    const again = await authenticate({ mfa_ticket, code: computeTotpCode(person.secret, app.clock) });
    expect([again.status, again.body.code]).toEqual([401, 'mfa_ticket_invalid']);
    expect(await sessionsOf(person.user_id)).toBe(before + 1);
  });

  it('works for five minutes, and not a moment longer', async () => {
    proves('mfa-ticket-valid-five-minutes');
    const person = await protectedPerson();
    const [one, other] = [await requestTicket(app, person), await requestTicket(app, person)];
    app.clock.advance(300_000 - 1);
    expect(
      (await authenticate({ mfa_ticket: one, code: computeTotpCode(person.secret, app.clock) })).status,
    ).toBe(200);
    app.clock.advance(1);
    expect(
      (await authenticate({ mfa_ticket: other, code: computeTotpCode(person.secret, app.clock, 1) })).body
        .code,
    ).toBe('mfa_ticket_invalid');
  });

  it('dies with the fifth wrong code, however they are sent', async () => {
    const person = await protectedPerson();
    const mfa_ticket = await requestTicket(app, person);
    const code = findWrongCode(person.secret, app.clock);
    const answers = await Promise.all(Array.from({ length: 20 }, () => authenticate({ mfa_ticket, code })));
    expect(answers.filter(({ body }) => body.code === 'mfa_code_wrong')).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === 'mfa_ticket_invalid')).toHaveLength(15);
    expect(
      (await authenticate({ mfa_ticket, code: computeTotpCode(person.secret, app.clock) })).body.code,
    ).toBe('mfa_ticket_invalid');
  });

  it('is for the user who gave the password, by code and by e-mail', async () => {
    const [one, other] = [await protectedPerson(), await protectedPerson()];
    const mfa_ticket = await requestTicket(app, one);
    expect(
      (await authenticate({ mfa_ticket, code: computeTotpCode(other.secret, app.clock) })).body.code,
    ).toBe('mfa_code_wrong');
    const code = computeTotpCode(one.secret, app.clock);
    for (const email of [other.email, createEmail()])
      expect((await authenticate({ mfa_ticket, code, email })).body.code).toBe('mfa_ticket_invalid');
    expect((await authenticate({ mfa_ticket, code, email: one.email })).status).toBe(200);
  });

  it('ends with the suspension of its user', async () => {
    const person = await protectedPerson();
    const mfa_ticket = await requestTicket(app, person);
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${person.user_id}`);
    const { status, body } = await authenticate({
      mfa_ticket,
      code: computeTotpCode(person.secret, app.clock),
    });
    expect([status, body.code]).toEqual([403, 'account_suspended']);
  });
});

describe('a code', () => {
  it('is never taken twice, nor one of an earlier step after it, whatever the ticket', async () => {
    const person = await protectedPerson();
    const tickets = await Promise.all(Array.from({ length: 50 }, () => requestTicket(app, person)));
    const code = computeTotpCode(person.secret, app.clock);
    const answers = await Promise.all(tickets.map((mfa_ticket) => authenticate({ mfa_ticket, code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'mfa_code_wrong')).toHaveLength(49);
    const next = async (steps: number) =>
      authenticate({
        mfa_ticket: await requestTicket(app, person),
        code: computeTotpCode(person.secret, app.clock, steps),
      });
    expect((await next(-1)).body.code).toBe('mfa_code_wrong');
    expect((await next(1)).status).toBe(200);
    expect((await next(1)).body.code).toBe('mfa_code_wrong');
  });
});

describe('a recovery code', () => {
  it('stands in for the app once, however it is typed', async () => {
    proves('mfa-recovery-codes-one-time');
    const person = await protectedPerson();
    const [first, second] = person.recovery_codes as [string, string];
    const recover = async (code: string) =>
      authenticate({ mfa_ticket: await requestTicket(app, person), code, recovery: true });
    expect((await recover(first)).status).toBe(200);
    expect((await recover(first)).body.code).toBe('mfa_code_wrong');
    expect((await recover(` ${second.toLowerCase().replace('-', ' ')} `)).status).toBe(200);
    expect(
      (
        await authenticate({
          mfa_ticket: await requestTicket(app, person),
          code: computeTotpCode(person.secret, app.clock),
        })
      ).status,
    ).toBe(200);
  });

  it('has one winner among fifty at once, each with its own ticket', async () => {
    const person = await protectedPerson();
    const tickets = await Promise.all(Array.from({ length: 50 }, () => requestTicket(app, person)));
    const [code] = person.recovery_codes;
    const before = await sessionsOf(person.user_id);
    const answers = await Promise.all(
      tickets.map((mfa_ticket) => authenticate({ mfa_ticket, code, recovery: true })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'mfa_code_wrong')).toHaveLength(49);
    expect(await sessionsOf(person.user_id)).toBe(before + 1);
  });

  it('is no TOTP code, is nobody else’s, and is told of when it is used', async () => {
    const [person, other] = [await protectedPerson(), await protectedPerson()];
    const [code] = person.recovery_codes;
    const as = async (who: TestMember, body: object) =>
      (await authenticate({ mfa_ticket: await requestTicket(app, who), ...body })).body.code;
    expect(await as(person, { code })).toBe('mfa_code_wrong');
    expect(await as(other, { code, recovery: true })).toBe('mfa_code_wrong');
    expect(await as(person, { code: computeTotpCode(person.secret, app.clock), recovery: true })).toBe(
      'mfa_code_wrong',
    );
    expect(await as(person, { code, recovery: true })).toBeUndefined();
    await app.drainQueue();
    expect(
      (await app.readMails()).filter(({ to }) => to.includes(person.email)).map(({ subject }) => subject),
    ).toContain('A recovery code was used');
    expect(
      await app.sql.list(
        sql`select detail from audit_log where action = 'auth.recovery_code_used' and member_id = ${person.member_id}`,
      ),
    ).toEqual([{ detail: { left: 9 } }]);
  });
});

describe('the second step is refused', () => {
  it('with an unknown ticket, and without ticket or code', async () => {
    for (const mfa_ticket of ['', 'x', 'x'.repeat(200)]) {
      const { status, body } = await authenticate({ mfa_ticket, code: '123456' });
      expect([status, body.code]).toEqual([401, 'mfa_ticket_invalid']);
    }
    const cases: [object, string][] = [
      [{ code: '123456' }, '/mfa_ticket'],
      [{ mfa_ticket: 'x' }, '/code'],
      [{ mfa_ticket: 'x', code: 123_456 }, '/code'],
      [{ mfa_ticket: 'x', code: '1'.repeat(41) }, '/code'],
      [{ mfa_ticket: 'x', code: '123456', email: 'nobody' }, '/email'],
      [{ mfa_ticket: 'x', code: '123456', recovery: 'yes' }, '/recovery'],
      [{ mfa_ticket: 'x', code: '123456', trust: true }, '/trust'],
    ];
    for (const [body, pointer] of cases)
      expect((await authenticate(body)).body.errors[0].pointer).toBe(pointer);
  });

  it('to whoever has the password and guesses on, with ever new tickets from everywhere; the user still gets in', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
    const person = await protectedPerson(strict);
    const from = (address: string, at: string, body: object) =>
      strict.request('POST', at, { body, headers: { 'x-forwarded-for': address } });
    const { email, password } = person;
    const statuses = [];
    for (let guess = 0; guess < 25; guess++) {
      const address = `198.51.100.${guess}`;
      const { body } = await from(address, '/auth/login', { email, password });
      const code = findWrongCode(person.secret, strict.clock);
      statuses.push(
        (await from(address, '/auth/mfa/authenticate', { mfa_ticket: body.mfa_ticket, code })).status,
      );
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    const mfa_ticket = await requestTicket(strict, person);
    expect(
      (await authenticate({ mfa_ticket, code: computeTotpCode(person.secret, strict.clock) }, strict)).status,
    ).toBe(200);
  });
});
