import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp } from '#test/harness.ts';
import { password } from '#test/users.ts';

const app = await startApp();

const end = (id: string, token?: string) =>
  app.request('DELETE', `/auth/sessions/${id}`, token === undefined ? {} : { token });
const readStatus = async (token: string) => (await app.request('GET', '/auth/me', { token })).status;
const listSessions = async (token: string) =>
  (await app.request('GET', '/auth/sessions', { token })).body.data as { id: string; current: boolean }[];

async function registerWithTwoDevices() {
  const member = await app.registerMember();
  const { body, cookies } = await app.request('POST', '/auth/login', {
    body: { email: member.email, password },
  });
  const [current, other] = (await listSessions(member.token)).toSorted(
    (one, two) => Number(two.current) - Number(one.current),
  );
  return {
    ...member,
    current: current!.id,
    other: other!.id,
    otherToken: body.access_token as string,
    cookies,
  };
}

describe('ending a session', () => {
  it('logs out that device at once, and no other', async () => {
    const { token, current, other, otherToken, cookies } = await registerWithTwoDevices();
    const { status, body, headers } = await end(other.toUpperCase(), token);
    expect([status, body, headers['set-cookie']]).toEqual([204, '', undefined]);
    expect([await readStatus(token), await readStatus(otherToken)]).toEqual([200, 401]);
    expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
    expect((await listSessions(token)).map(({ id }) => id)).toEqual([current]);
  });

  it('clears the cookie if it is the current session', async () => {
    const { token, current, otherToken } = await registerWithTwoDevices();
    const { status, headers } = await end(current, token);
    expect(status).toBe(204);
    expect(String(headers['set-cookie'])).toMatch(/^refresh_token=; Max-Age=0;/);
    expect([await readStatus(token), await readStatus(otherToken)]).toEqual([401, 200]);
  });

  it('is recorded in the audit log', async () => {
    const { token, other, user_id, member_id } = await registerWithTwoDevices();
    await end(other, token);
    expect(
      await app.sql.list(
        sql`select member_id, detail from audit_log where action = 'auth.session_ended' and actor_user_id = ${user_id}`,
      ),
    ).toEqual([{ member_id, detail: { session_id: other } }]);
  });
});

describe('ending a session is refused, and changes nothing,', () => {
  it('with the same reply if it belongs to another user, does not exist or has ended', async () => {
    const [one, other] = [await registerWithTwoDevices(), await registerWithTwoDevices()];
    await end(one.other, one.token);
    for (const id of [other.current, unknownId, one.other]) {
      const { status, body } = await end(id, one.token);
      expect([status, body.code]).toEqual([404, 'session_not_found']);
    }
    expect([await readStatus(other.token), await readStatus(other.otherToken)]).toEqual([200, 200]);
  });

  it('for an anonymous caller or a malformed id', async () => {
    const { token, other, otherToken } = await registerWithTwoDevices();
    expect((await end(other)).body.code).toBe('authentication_required');
    expect((await end('all', token)).body.errors[0].pointer).toBe('/session_id');
    expect(await readStatus(otherToken)).toBe(200);
  });
});
