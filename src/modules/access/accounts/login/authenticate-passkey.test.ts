import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { enableMfa } from '#test/modules/auth.ts';
import { startApp } from '#test/harness.ts';
import {
  addTestPasskey,
  createAuthenticator,
  logInByPasskey,
  requestOptions,
  type Faults,
} from '#test/modules/passkeys.ts';

const app = await startApp();

const authenticate = (passkey: object, on = app) =>
  on.request('POST', '/auth/passkeys/authenticate', { body: { passkey } });

describe('a login with a passkey', () => {
  it('needs no email address, no password and no code, and counts as a recent authentication', async () => {
    const member = await app.registerMember();
    await enableMfa(app, member);
    const { authenticator } = await addTestPasskey(app, member);
    app.clock.advance(3_600_000);
    const { status, body, cookies } = await logInByPasskey(app, authenticator);
    expect([status, body.user.id, body.user.email]).toEqual([200, member.user_id, member.email]);
    expect(cookies['refresh_token']).toBeDefined();
    const { data } = (await app.request('GET', '/auth/passkeys', { token: body.access_token })).body;
    expect(data).toMatchObject([{ name: 'Phone', last_used_at: app.clock.now().toISOString() }]);
    const removed = await app.request('DELETE', `/auth/passkeys/${data[0].id}`, {
      token: body.access_token,
    });
    expect(removed.status).toBe(204);
    expect((await logInByPasskey(app, authenticator)).body.code).toBe('passkey_wrong');
  });

  it('works for passkeys that do not count their signatures, again and again', async () => {
    const member = await app.registerOrgAdmin();
    const { authenticator } = await addTestPasskey(app, member, { counts: false });
    for (let login = 0; login < 3; login++)
      expect((await logInByPasskey(app, authenticator)).status).toBe(200);
  });

  it('survives a new password', async () => {
    const member = await app.registerMember();
    const { authenticator } = await addTestPasskey(app, member);
    const changed = await app.request('POST', '/auth/change-password', {
      token: member.token,
      body: { current_password: member.password, new_password: 'Another-Horse-8-Battery' },
    });
    expect(changed.status).toBe(204);
    expect((await logInByPasskey(app, authenticator)).status).toBe(200);
  });
});

describe('a login with a passkey is refused', () => {
  it.each<[string, Faults]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host name', { rp_id: 'evil.example' }],
    ['no verification of the user', { user_verified: false }],
    ['no presence of the user', { user_present: false }],
    ['the answer to a registration', { type: 'webauthn.create' }],
    ['no user', { user_handle: undefined }],
    ['another user', { user_handle: 'DJ1aHnpUTwuPLT4bany9kA' }],
    ['another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ])('for %s', async (_, faults) => {
    const member = await app.registerMember();
    const { authenticator } = await addTestPasskey(app, member);
    const { status, body, cookies } = await logInByPasskey(app, authenticator, faults);
    expect([status, body.code, cookies]).toEqual([401, 'passkey_wrong', {}]);
    expect((await logInByPasskey(app, authenticator)).status).toBe(200);
  });

  it('for a passkey that nobody has, and for malformed ones', async () => {
    const stranger = createAuthenticator(app.platform.config.publicUrl);
    expect((await logInByPasskey(app, stranger)).body.code).toBe('passkey_wrong');
    const passkey = stranger.get(await requestOptions(app, 'log_in'));
    for (const malformed of [{}, { ...passkey, id: '' }, { ...passkey, response: {} }, 'text', null])
      expect((await authenticate(malformed as object)).body.code).toBe('field_invalid');
  });

  it('for a challenge that is used, expired, or of another purpose; of two answers at once, one wins', async () => {
    const member = await app.registerMember();
    const { authenticator } = await addTestPasskey(app, member);
    const options = await requestOptions(app, 'log_in');
    const answers = [authenticator.get(options), authenticator.get(options)];
    const statuses = (await Promise.all(answers.map((each) => authenticate(each)))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 410]);
    const replayed = await authenticate(answers[0]!);
    expect([replayed.status, replayed.body.code]).toEqual([410, 'passkey_challenge_invalid']);
    const { challenge } = await requestOptions(app, 'reauthenticate', member.token);
    expect((await logInByPasskey(app, authenticator, { challenge })).status).toBe(410);
    const late = authenticator.get(await requestOptions(app, 'log_in'));
    app.clock.advance(901_000);
    expect((await authenticate(late)).body.code).toBe('passkey_challenge_invalid');
  });

  it('if its count of signatures goes back, which the audit log says', async () => {
    const member = await app.registerMember();
    const { authenticator, id } = await addTestPasskey(app, member);
    expect((await logInByPasskey(app, authenticator, { sign_count: 40 })).status).toBe(200);
    for (const sign_count of [40, 39, 0])
      expect((await logInByPasskey(app, authenticator, { sign_count })).body.code).toBe('passkey_wrong');
    const entries = await app.sql.list(sql`
      select detail from audit_log where action = 'auth.passkey_copy_suspected' and member_id = ${member.member_id}`);
    const entry = { detail: { user_id: member.user_id, passkey_id: id } };
    expect(entries).toEqual([entry, entry, entry]);
    expect((await logInByPasskey(app, authenticator, { sign_count: 41 })).status).toBe(200);
  });

  it('for a suspended account and one that is marked for deletion, with the reason', async () => {
    const suspended = await app.registerOrgAdmin();
    const { authenticator } = await addTestPasskey(app, suspended);
    await app.sql.run(
      sql`update users set suspended_at = ${app.clock.now()} where id = ${suspended.user_id}`,
    );
    expect((await logInByPasskey(app, authenticator)).body.code).toBe('account_suspended');
    const leaving = await app.registerMember();
    const { authenticator: other } = await addTestPasskey(app, leaving);
    expect((await app.request('DELETE', '/members/me', { token: leaving.token })).status).toBe(202);
    const { status, body } = await logInByPasskey(app, other);
    expect([status, body.code]).toEqual([403, 'account_pending_deletion']);
  });

  it('after ten wrong ones from a network', async () => {
    const strict = await startApp({ TESSERA_RATE_LIMITS: 'on' });
    const { authenticator } = await addTestPasskey(strict, await strict.registerMember());
    const wrong = { origin: 'https://evil.example' };
    const statuses = [];
    for (let guess = 0; guess < 11; guess++)
      statuses.push((await logInByPasskey(strict, authenticator, wrong)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
    strict.clock.advance(900_000);
    expect((await logInByPasskey(strict, authenticator)).status).toBe(200);
  });
});
