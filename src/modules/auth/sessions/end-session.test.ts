import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { unknownId, startApp, type TestApp } from '#test/harness.ts';
import { password } from '#test/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const end = (id: string, token?: string) =>
  app.request('DELETE', `/auth/sessions/${id}`, token === undefined ? {} : { token });
const me = async (token: string) => (await app.request('GET', '/auth/me', { token })).status;
const sessions = async (token: string) =>
  (await app.request('GET', '/auth/sessions', { token })).body.data as { id: string; current: boolean }[];

async function twoDevices() {
  const person = await app.registerMember();
  const { body, cookies } = await app.request('POST', '/auth/login', {
    body: { email: person.email, password },
  });
  const [own, other] = (await sessions(person.token)).toSorted(
    (one, two) => Number(two.current) - Number(one.current),
  );
  return { ...person, own: own!.id, other: other!.id, otherToken: body.access_token as string, cookies };
}

describe('ending a session', () => {
  it('signs that device out at once, and no other', async () => {
    const { token, own, other, otherToken, cookies } = await twoDevices();
    const { status, body, headers } = await end(other.toUpperCase(), token);
    expect([status, body, headers['set-cookie']]).toEqual([204, '', undefined]);
    expect([await me(token), await me(otherToken)]).toEqual([200, 401]);
    expect((await app.request('POST', '/auth/refresh', { cookies })).status).toBe(401);
    expect((await sessions(token)).map(({ id }) => id)).toEqual([own]);
  });

  it('can be the own one, and takes the cookie along', async () => {
    const { token, own, otherToken } = await twoDevices();
    const { status, headers } = await end(own, token);
    expect(status).toBe(204);
    expect(String(headers['set-cookie'])).toMatch(/^refresh_token=; Max-Age=0;/);
    expect([await me(token), await me(otherToken)]).toEqual([401, 200]);
  });

  it('is recorded', async () => {
    const { token, other, user_id, member_id } = await twoDevices();
    await end(other, token);
    expect(
      await app.sql.list(
        sql`select member_id, detail from audit_log where action = 'auth.session_ended' and actor_user_id = ${user_id}`,
      ),
    ).toEqual([{ member_id, detail: { session_id: other } }]);
  });
});

describe('ending a session is refused, and changes nothing,', () => {
  it('where it is somebody else’s, nobody’s or ended already: all answered alike', async () => {
    const [one, other] = [await twoDevices(), await twoDevices()];
    await end(one.other, one.token);
    for (const id of [other.own, unknownId, one.other]) {
      const { status, body } = await end(id, one.token);
      expect([status, body.code]).toEqual([404, 'session_not_found']);
    }
    expect([await me(other.token), await me(other.otherToken)]).toEqual([200, 200]);
  });

  it('without a sign-in, or with what is no id', async () => {
    const { token, other, otherToken } = await twoDevices();
    expect((await end(other)).body.code).toBe('authentication_required');
    expect((await end('all', token)).body.errors[0].pointer).toBe('/session_id');
    expect(await me(otherToken)).toBe(200);
  });
});
