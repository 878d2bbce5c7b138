import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { addTestPasskey, createAuthenticator, requestOptions, type Faults } from '#test/modules/passkeys.ts';

const publicUrl = 'http://localhost:8420';

const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });

const add = (token: string | undefined, body: object, on = app) =>
  on.request('POST', '/auth/passkeys', { ...(token !== undefined && { token }), body });
const countPasskeys = async (user_id: string) =>
  (await app.sql.list(sql`select from passkeys where user_id = ${user_id}`)).length;

describe('adding a passkey', () => {
  it('stores its public key under the name, tells the owner by email, and records it', async () => {
    const { token, user_id, member_id, email } = await app.registerMember();
    const authenticator = createAuthenticator(publicUrl);
    const passkey = authenticator.create(await requestOptions(app, 'register', token));
    const { status, body, headers } = await add(token, { name: ' Phone ', passkey });
    expect([status, headers['location']]).toEqual([201, `${publicUrl}/api/v1/auth/passkeys`]);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Phone',
      synced: false,
      created_at: app.clock.now().toISOString(),
      last_used_at: null,
    });
    await app.drainQueue();
    const mails = (await app.readMails()).filter(({ to }) => to === email);
    expect(mails.map(({ subject }) => subject)).toContain('A passkey was added');
    expect(
      await app.sql.list(sql`select member_id, detail from audit_log where action = 'auth.passkey_added'
        and actor_user_id = ${user_id}`),
    ).toEqual([{ member_id, detail: { passkey_id: body.id } }]);
  });

  it('happens once for one Idempotency-Key', async () => {
    const { token, user_id } = await app.registerMember();
    const passkey = createAuthenticator(publicUrl).create(await requestOptions(app, 'register', token));
    const headers = { 'idempotency-key': 'one' };
    const send = () =>
      app.request('POST', '/auth/passkeys', { token, body: { name: 'Phone', passkey }, headers });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.body]).toEqual([201, first.body]);
    expect(await countPasskeys(user_id)).toBe(1);
  });

  it('offers the browser what it needs: this host, a verified user, and the passkeys that exist', async () => {
    const { token, email } = await app.registerMember({ name: 'Ada' });
    const { authenticator } = await addTestPasskey(app, { token });
    const { body } = await app.request('POST', '/auth/passkeys/challenge', {
      token,
      body: { purpose: 'register' },
    });
    expect(body.public_key).toMatchObject({
      rp: { id: 'localhost', name: 'Tessera' },
      user: { name: email, displayName: 'Ada' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: authenticator.credential_id }],
    });
    expect(body.expires_at).toBe(new Date(app.clock.now().getTime() + 600_000).toISOString());
  });
});

describe('a passkey is refused, and nothing is stored,', () => {
  it.each<[string, Faults]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host name', { rp_id: 'evil.example' }],
    ['no verification of the user', { user_verified: false }],
    ['no presence of the user', { user_present: false }],
    ['the answer to a login', { type: 'webauthn.get' }],
    ['an algorithm that this service does not verify', { alg: -35 }],
  ])('for %s', async (_, faults) => {
    const { token, user_id } = await app.registerMember();
    const authenticator = createAuthenticator(publicUrl);
    const passkey = authenticator.create(await requestOptions(app, 'register', token), faults);
    const { status, body } = await add(token, { name: 'Phone', passkey });
    expect([status, body.code, body.errors[0].pointer]).toEqual([422, 'passkey_refused', '/passkey']);
    expect(await countPasskeys(user_id)).toBe(0);
  });

  it('for a challenge that is used, expired, another user’s, of another purpose, or not of this service', async () => {
    const { token, user_id } = await app.registerMember();
    const other = await app.registerMember();
    await addTestPasskey(app, { token });
    const used = await requestOptions(app, 'register', token);
    const body = { name: 'Phone', passkey: createAuthenticator(publicUrl).create(used) };
    expect((await add(token, body)).status).toBe(201);
    const again = { name: 'Phone', passkey: createAuthenticator(publicUrl).create(used) };
    expect((await add(token, again)).body.code).toBe('passkey_challenge_invalid');
    for (const options of [
      await requestOptions(app, 'register', other.token),
      { ...used, challenge: (await requestOptions(app, 'reauthenticate', token)).challenge },
      { ...used, challenge: (await requestOptions(app, 'log_in')).challenge },
      { ...used, challenge: 'AAAA' },
    ]) {
      const passkey = createAuthenticator(publicUrl).create(options);
      const { status, body: problem } = await add(token, { name: 'Phone', passkey });
      expect([status, problem.code]).toEqual([410, 'passkey_challenge_invalid']);
    }
    const late = createAuthenticator(publicUrl).create(await requestOptions(app, 'register', token));
    app.clock.advance(899_000);
    await app.sql.run(sql`update sessions set authenticated_at = ${app.clock.now()}`);
    const fresh = (
      await app.request('POST', '/auth/login', { body: { email: other.email, password: other.password } })
    ).body.access_token;
    expect((await add(fresh, { name: 'Phone', passkey: late })).body.code).toBe('passkey_challenge_invalid');
    expect(await countPasskeys(user_id)).toBe(2);
  });

  it('that an account has already, and beyond twenty', async () => {
    const { token, user_id } = await app.registerMember();
    const other = await app.registerMember();
    const { authenticator } = await addTestPasskey(app, { token });
    const passkey = authenticator.create(await requestOptions(app, 'register', other.token));
    const known = await add(other.token, { name: 'Phone', passkey });
    expect([known.status, known.body.code]).toEqual([409, 'passkey_known']);
    await app.sql.run(sql`
      insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, synced, name, created_at)
      select gen_random_uuid(), ${user_id}, number::text::bytea, '', 0, '{}', false, 'Key', now() from generate_series(1, 19) as number`);
    const full = await add(token, {
      name: 'Phone',
      passkey: createAuthenticator(publicUrl).create(await requestOptions(app, 'register', token)),
    });
    expect([full.status, full.body.code]).toEqual([409, 'passkeys_full']);
  });

  it('without a recent authentication, without a login, for an account of single sign-on, and for bad input', async () => {
    const { token, user_id } = await app.registerMember();
    const options = await requestOptions(app, 'register', token);
    const passkey = createAuthenticator(publicUrl).create(options);
    expect((await add(undefined, { name: 'Phone', passkey })).status).toBe(401);
    for (const body of [
      { passkey },
      { name: '', passkey },
      { name: 'x'.repeat(61), passkey },
      { name: 'Phone', passkey: { ...passkey, id: 'not base64' } },
      { name: 'Phone', passkey: { ...passkey, type: 'password' } },
      { name: 'Phone' },
    ])
      expect((await add(token, body)).body.code).toBe('field_invalid');
    const garbage = { ...passkey, response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } };
    expect((await add(token, { name: 'Phone', passkey: garbage })).body.code).toBe('passkey_refused');
    const ask = (body: object, by?: string) =>
      app.request('POST', '/auth/passkeys/challenge', { body, ...(by !== undefined && { token: by }) });
    expect((await ask({ purpose: 'register' })).body.code).toBe('authentication_required');
    expect((await ask({ purpose: 'everything' })).body.code).toBe('field_invalid');
    app.clock.advance(901_000);
    for (const { body } of [
      await add(token, { name: 'Phone', passkey }),
      await ask({ purpose: 'register' }, token),
    ])
      expect(body.code).toBe('recent_authentication_required');
    const single = await app.registerOrgAdmin();
    await app.sql.run(sql`update users set password_hash = '!' where id = ${single.user_id}`);
    expect((await ask({ purpose: 'register' }, single.token)).body.code).toBe('account_without_password');
    expect((await add(single.token, { name: 'Phone', passkey })).body.code).toBe('account_without_password');
    expect(await countPasskeys(user_id)).toBe(0);
  });
});
