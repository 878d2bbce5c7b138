import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import {
  computeTotpCode,
  enableMfa,
  requestTicket,
  findWrongCode,
  type EnabledMfa,
} from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { sendPatiently } from '#test/send-patiently.ts';
import { createEmail, type TestMember } from '#test/users.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const authenticate = (body: object, on = app) =>
  sendPatiently(() => on.request('POST', '/auth/mfa/authenticate', { body }));
const registerWithMfa = async (on = app): Promise<TestMember & EnabledMfa> => {
  const member = await on.registerMember();
  return { ...member, ...(await enableMfa(on, member)) };
};
const countSessions = async (user_id: string) =>
  (await app.sql.list(sql`select id from sessions where user_id = ${user_id}`)).length;

describe('a login with MFA enabled', () => {
  it('returns 200 with a ticket instead of tokens, and starts no session', async () => {
    proves(
      'mfa-login-returns-ticket-not-tokens',
      'mfa-methods-value-totp',
      'error-mfa-required-login-is-200',
    );
    const member = await registerWithMfa();
    const { email, password, user_id } = member;
    const before = await countSessions(user_id);
    const { status, body, headers } = await app.request('POST', '/auth/login', { body: { email, password } });
    expect([status, body]).toEqual([
      200,
      { mfa_required: true, mfa_methods: ['totp'], mfa_ticket: expect.stringMatching(/^[\w-]{43}$/) },
    ]);
    expect(headers['set-cookie']).toBeUndefined();
    expect(await countSessions(user_id)).toBe(before);
    const stored = await app.sql.list(
      sql<{ row: string }>`select row_to_json(t)::text as row from mfa_tickets t`,
    );
    expect(JSON.stringify(stored)).not.toContain(body.mfa_ticket);
    expect(
      (await app.request('POST', '/auth/login', { body: { email, password: `${password}x` } })).body.code,
    ).toBe('credentials_wrong');
  });

  it('is completed with the ticket and a code, and returns the normal login reply', async () => {
    proves(
      'mfa-authenticate-endpoint-public',
      'mfa-authenticate-totp-or-recovery-code',
      'mfa-authenticate-returns-login-response',
    );
    const member = await registerWithMfa();
    const { email, user_id, member_id, secret } = member;
    const mfa_ticket = await requestTicket(app, member);
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
  it('works once, even for fifty concurrent requests with the right code', async () => {
    proves('mfa-ticket-single-use');
    const member = await registerWithMfa();
    const mfa_ticket = await requestTicket(app, member);
    const before = await countSessions(member.user_id);
    const code = computeTotpCode(member.secret, app.clock);
    const replies = await Promise.all(Array.from({ length: 50 }, () => authenticate({ mfa_ticket, code })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'mfa_ticket_invalid')).toHaveLength(49);
    app.clock.advance(60_000);
    const again = await authenticate({ mfa_ticket, code: computeTotpCode(member.secret, app.clock) });
    expect([again.status, again.body.code]).toEqual([401, 'mfa_ticket_invalid']);
    expect(await countSessions(member.user_id)).toBe(before + 1);
  });

  it('works for exactly five minutes', async () => {
    proves('mfa-ticket-valid-five-minutes');
    const member = await registerWithMfa();
    const [one, other] = [await requestTicket(app, member), await requestTicket(app, member)];
    app.clock.advance(300_000 - 1);
    expect(
      (await authenticate({ mfa_ticket: one, code: computeTotpCode(member.secret, app.clock) })).status,
    ).toBe(200);
    app.clock.advance(1);
    expect(
      (await authenticate({ mfa_ticket: other, code: computeTotpCode(member.secret, app.clock, 1) })).body
        .code,
    ).toBe('mfa_ticket_invalid');
  });

  it('is invalid after the fifth wrong code, even for concurrent requests', async () => {
    const member = await registerWithMfa();
    const mfa_ticket = await requestTicket(app, member);
    const code = findWrongCode(member.secret, app.clock);
    const replies = await Promise.all(Array.from({ length: 20 }, () => authenticate({ mfa_ticket, code })));
    expect(replies.filter(({ body }) => body.code === 'mfa_code_wrong')).toHaveLength(5);
    expect(replies.filter(({ body }) => body.code === 'mfa_ticket_invalid')).toHaveLength(15);
    expect(
      (await authenticate({ mfa_ticket, code: computeTotpCode(member.secret, app.clock) })).body.code,
    ).toBe('mfa_ticket_invalid');
  });

  it('works only with the code and the email address of the user who logged in', async () => {
    const [one, other] = [await registerWithMfa(), await registerWithMfa()];
    const mfa_ticket = await requestTicket(app, one);
    expect(
      (await authenticate({ mfa_ticket, code: computeTotpCode(other.secret, app.clock) })).body.code,
    ).toBe('mfa_code_wrong');
    const code = computeTotpCode(one.secret, app.clock);
    for (const email of [other.email, createEmail()])
      expect((await authenticate({ mfa_ticket, code, email })).body.code).toBe('mfa_ticket_invalid');
    expect((await authenticate({ mfa_ticket, code, email: one.email })).status).toBe(200);
  });

  it('is refused after its user is suspended', async () => {
    const member = await registerWithMfa();
    const mfa_ticket = await requestTicket(app, member);
    await app.sql.run(sql`update users set suspended_at = ${app.clock.now()} where id = ${member.user_id}`);
    const { status, body } = await authenticate({
      mfa_ticket,
      code: computeTotpCode(member.secret, app.clock),
    });
    expect([status, body.code]).toEqual([403, 'account_suspended']);
  });
});

describe('a code', () => {
  it('is accepted only once, and no code of an earlier step is accepted after it, even with another ticket', async () => {
    const member = await registerWithMfa();
    const tickets = await Promise.all(Array.from({ length: 50 }, () => requestTicket(app, member)));
    const code = computeTotpCode(member.secret, app.clock);
    const replies = await Promise.all(tickets.map((mfa_ticket) => authenticate({ mfa_ticket, code })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'mfa_code_wrong')).toHaveLength(49);
    const tryStep = async (steps: number) =>
      authenticate({
        mfa_ticket: await requestTicket(app, member),
        code: computeTotpCode(member.secret, app.clock, steps),
      });
    expect((await tryStep(-1)).body.code).toBe('mfa_code_wrong');
    expect((await tryStep(1)).status).toBe(200);
    expect((await tryStep(1)).body.code).toBe('mfa_code_wrong');
  });
});

describe('a recovery code', () => {
  it('replaces the app code once, regardless of case and separators', async () => {
    proves('mfa-recovery-codes-one-time');
    const member = await registerWithMfa();
    const [first, second] = member.recovery_codes as [string, string];
    const recover = async (code: string) =>
      authenticate({ mfa_ticket: await requestTicket(app, member), code, recovery: true });
    expect((await recover(first)).status).toBe(200);
    expect((await recover(first)).body.code).toBe('mfa_code_wrong');
    expect((await recover(` ${second.toLowerCase().replace('-', ' ')} `)).status).toBe(200);
    expect(
      (
        await authenticate({
          mfa_ticket: await requestTicket(app, member),
          code: computeTotpCode(member.secret, app.clock),
        })
      ).status,
    ).toBe(200);
  });

  it('is accepted for one of fifty concurrent requests with different tickets', async () => {
    const member = await registerWithMfa();
    const tickets = await Promise.all(Array.from({ length: 50 }, () => requestTicket(app, member)));
    const [code] = member.recovery_codes;
    const before = await countSessions(member.user_id);
    const replies = await Promise.all(
      tickets.map((mfa_ticket) => authenticate({ mfa_ticket, code, recovery: true })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'mfa_code_wrong')).toHaveLength(49);
    expect(await countSessions(member.user_id)).toBe(before + 1);
  });

  it('is not accepted as a TOTP code or for another user, and its use is emailed and recorded', async () => {
    const [member, other] = [await registerWithMfa(), await registerWithMfa()];
    const [code] = member.recovery_codes;
    const tryCode = async (user: TestMember, body: object) =>
      (await authenticate({ mfa_ticket: await requestTicket(app, user), ...body })).body.code;
    expect(await tryCode(member, { code })).toBe('mfa_code_wrong');
    expect(await tryCode(other, { code, recovery: true })).toBe('mfa_code_wrong');
    expect(await tryCode(member, { code: computeTotpCode(member.secret, app.clock), recovery: true })).toBe(
      'mfa_code_wrong',
    );
    expect(await tryCode(member, { code, recovery: true })).toBeUndefined();
    await app.drainQueue();
    expect(
      (await app.readMails()).filter(({ to }) => to.includes(member.email)).map(({ subject }) => subject),
    ).toContain('A recovery code was used');
    expect(
      await app.sql.list(
        sql`select detail from audit_log where action = 'auth.recovery_code_used' and member_id = ${member.member_id}`,
      ),
    ).toEqual([{ detail: { left: 9 } }]);
  });
});

describe('the second step is refused', () => {
  it('for an unknown ticket, and for malformed fields', async () => {
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

  it('after twenty wrong codes from different addresses, except from an address of the user', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on', TESSERA_TRUSTED_PROXIES: '127.0.0.1' });
    const member = await registerWithMfa(strict);
    const sendFrom = (address: string, at: string, body: object) =>
      strict.request('POST', at, { body, headers: { 'x-forwarded-for': address } });
    const { email, password } = member;
    const statuses = [];
    for (let guess = 0; guess < 25; guess++) {
      const address = `198.51.100.${guess}`;
      const { body } = await sendFrom(address, '/auth/login', { email, password });
      const code = findWrongCode(member.secret, strict.clock);
      statuses.push(
        (await sendFrom(address, '/auth/mfa/authenticate', { mfa_ticket: body.mfa_ticket, code })).status,
      );
    }
    expect(statuses).toEqual([...Array<number>(20).fill(401), ...Array<number>(5).fill(429)]);
    const mfa_ticket = await requestTicket(strict, member);
    expect(
      (await authenticate({ mfa_ticket, code: computeTotpCode(member.secret, strict.clock) }, strict)).status,
    ).toBe(200);
  });
});
