import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { addTestPasskey } from '#test/modules/passkeys.ts';
import { runTask } from '#test/modules/matching.ts';
import { forgetSessions } from '../forget-sessions.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'http://localhost:8420' });

const ask = (purpose: unknown, token?: string) =>
  app.request('POST', '/auth/passkeys/challenge', {
    body: { purpose },
    ...(token !== undefined && { token }),
  });

it('a login gets a challenge that names no account, and nothing is stored', async () => {
  await addTestPasskey(app, await app.registerMember());
  const stored = await app.sql.list(sql`select from used_challenges`);
  const { status, body } = await ask('log_in');
  expect([status, body.public_key]).toEqual([
    200,
    {
      challenge: expect.stringMatching(/^[\w-]{72}$/),
      timeout: 600_000,
      rpId: 'localhost',
      allowCredentials: [],
      userVerification: 'required',
    },
  ]);
  expect(await app.sql.list(sql`select from used_challenges`)).toHaveLength(stored.length);
});

it('a user who authenticates again is offered their own passkeys only', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  const { authenticator } = await addTestPasskey(app, member);
  await addTestPasskey(app, other);
  const { allowCredentials } = (await ask('reauthenticate', member.token)).body.public_key;
  expect(allowCredentials).toEqual([
    { type: 'public-key', id: authenticator.credential_id, transports: ['internal'] },
  ]);
  const without = await app.registerMember();
  const { status, body } = await ask('reauthenticate', without.token);
  expect([status, body.code]).toEqual([404, 'passkey_not_found']);
});

it('an unknown purpose is refused, and so is a stranger for any purpose but the login', async () => {
  for (const purpose of ['pay', 7, null, undefined])
    expect((await ask(purpose)).body.code).toBe('field_invalid');
  for (const purpose of ['register', 'reauthenticate'])
    expect((await ask(purpose)).body.code).toBe('authentication_required');
});

it('answered challenges are forgotten once they have expired', async () => {
  await addTestPasskey(app, await app.registerMember());
  const count = async () => (await app.sql.list(sql`select from used_challenges`)).length;
  expect(await count()).toBeGreaterThan(0);
  app.clock.advance(901_000);
  await runTask(app, forgetSessions, {});
  expect(await count()).toBe(0);
});
