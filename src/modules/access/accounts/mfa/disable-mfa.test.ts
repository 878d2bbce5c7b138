import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { computeTotpCode, enableMfa, requestTicket, findWrongCode } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { resetMfa } from './reset-mfa.ts';

const app = await startApp();

const disable = (code: unknown, token?: string, on = app) =>
  on.request('POST', '/auth/mfa/disable', { ...(token !== undefined && { token }), body: { code } });
const countRows = (user_id: string) =>
  app.sql.one(sql<Record<string, number>>`
    select (select count(*) from authenticators where user_id = ${user_id}) as authenticators,
      (select count(*) from recovery_codes where user_id = ${user_id}) as codes,
      (select count(*) from mfa_tickets where user_id = ${user_id}) as tickets`);

describe('disabling MFA', () => {
  it('requires a valid code, and deletes all tickets and recovery codes, so that the password is enough', async () => {
    proves('mfa-disable-endpoint-jwt', 'mfa-disable-needs-valid-totp');
    const member = await app.registerMember();
    const { secret } = await enableMfa(app, member);
    const mfa_ticket = await requestTicket(app, member);
    const { status, body } = await disable(computeTotpCode(secret, app.clock), member.token);
    expect([status, body]).toEqual([204, '']);
    expect(await countRows(member.user_id)).toEqual({ authenticators: 0, codes: 0, tickets: 0 });
    expect((await app.request('GET', '/members/me', { token: member.token })).status).toBe(200);
    const { email, password } = member;
    expect(
      (await app.request('POST', '/auth/login', { body: { email, password } })).body.access_token,
    ).toBeDefined();
    const late = { mfa_ticket, code: computeTotpCode(secret, app.clock, 1) };
    expect((await app.request('POST', '/auth/mfa/authenticate', { body: late })).body.code).toBe(
      'mfa_ticket_invalid',
    );
  });

  it('is recorded and emailed to the user', async () => {
    const admin = await app.registerOrgAdmin();
    const { secret } = await enableMfa(app, admin);
    await disable(computeTotpCode(secret, app.clock), admin.token);
    await app.drainQueue();
    const subjects = (await app.readMails())
      .filter(({ to }) => to.includes(admin.email))
      .map(({ subject }) => subject);
    expect(subjects).toContain('MFA is disabled');
    expect(
      await app.sql.list(
        sql`select org_id from audit_log where action = 'auth.mfa_disabled' and actor_user_id = ${admin.user_id}`,
      ),
    ).toEqual([{ org_id: admin.org_id }]);
  });
});

it.each(['disabled', 'reset by the operator'])(
  'when MFA of a platform administrator is %s, the tokens that say they passed it are refused at once',
  async (how) => {
    const admin = await app.registerPlatformAdmin();
    const { secret } = await enableMfa(app, admin);
    const passMfa = async () => {
      app.clock.advance(60_000);
      const body = { mfa_ticket: await requestTicket(app, admin), code: computeTotpCode(secret, app.clock) };
      return (await app.request('POST', '/auth/mfa/authenticate', { body })).body.access_token as string;
    };
    const token = await passMfa();
    const list = (as: string) => app.request('GET', '/auth/sessions', { token: as });
    expect((await list(token)).status).toBe(200);
    app.clock.advance(60_000);
    if (how === 'disabled') await disable(computeTotpCode(secret, app.clock), token);
    else await resetMfa(app.platform, { user: admin.user_id });
    expect((await countRows(admin.user_id))['authenticators']).toBe(0);
    expect((await list(token)).body.code).toBe('token_invalid');
    const { email, password } = admin;
    const login = await app.request('POST', '/auth/login', { body: { email, password } });
    expect((await list(login.body.access_token)).status).toBe(200);
  },
);

describe('disabling MFA is refused, and changes nothing,', () => {
  it('for a wrong, an old, a used or a recovery code', async () => {
    const member = await app.registerMember();
    const { secret, recovery_codes } = await enableMfa(app, member);
    const before = await countRows(member.user_id);
    for (const code of [
      findWrongCode(secret, app.clock),
      computeTotpCode(secret, app.clock, -2),
      computeTotpCode(secret, app.clock, 2),
    ]) {
      const { status, body } = await disable(code, member.token);
      expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'totp_code_wrong', '/code']);
    }
    for (const code of [recovery_codes[0], undefined, 1, ''])
      expect((await disable(code, member.token)).body.code).toBe('field_invalid');
    const code = computeTotpCode(secret, app.clock);
    const mfa_ticket = await requestTicket(app, member);
    expect((await app.request('POST', '/auth/mfa/authenticate', { body: { mfa_ticket, code } })).status).toBe(
      200,
    );
    expect((await disable(code, member.token)).body.code).toBe('totp_code_wrong');
    expect(await countRows(member.user_id)).toEqual({ ...before, tickets: 1 });
  });

  it('if it is not enabled, for an anonymous caller, and for another user’s code', async () => {
    const member = await app.registerMember();
    expect((await disable('123456', member.token)).body.code).toBe('mfa_not_enabled');
    await app.request('POST', '/auth/mfa/setup', { token: member.token, body: {} });
    expect((await disable('123456', member.token)).body.code).toBe('mfa_not_enabled');
    expect((await disable('123456')).body.code).toBe('authentication_required');
    const [one, other] = [await app.registerMember(), await app.registerMember()];
    const { secret } = await enableMfa(app, one);
    await enableMfa(app, other);
    expect((await disable(computeTotpCode(secret, app.clock), other.token)).body.code).toBe(
      'totp_code_wrong',
    );
  });

  it('after ten wrong codes, which stops an attacker with a stolen access token', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const member = await strict.registerMember();
    const { secret } = await enableMfa(strict, member);
    const code = findWrongCode(secret, strict.clock);
    const statuses = [];
    for (let guess = 0; guess < 12; guess++)
      statuses.push((await disable(code, member.token, strict)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429, 429]);
    expect((await disable(computeTotpCode(secret, strict.clock), member.token, strict)).status).toBe(429);
    strict.clock.advance(15 * 60_000);
    const fresh = await strict.request('POST', '/auth/reauthenticate', {
      token: member.token,
      body: { password: member.password },
    });
    const { access_token } = fresh.body;
    expect((await disable(computeTotpCode(secret, strict.clock), access_token, strict)).status).toBe(204);
  });
});
