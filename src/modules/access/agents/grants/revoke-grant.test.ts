import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { allowAgent, findLiveGrant } from '#test/modules/grants.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();
const isLive = async (id: string) => (await findLiveGrant(app.platform, app.sql, id)) !== undefined;

test('a grant that is revoked ends at once, once, with an event and a record', async () => {
  proves('oauth-capability-consent-revocable');
  const member = await app.registerMember();
  const id = await allowAgent(app, member);
  expect(await isLive(id)).toBe(true);
  const revoke = () => app.request('DELETE', `/auth/grants/${id}`, { token: member.token });
  expect((await revoke()).status).toBe(204);
  expect(await isLive(id)).toBe(false);
  const again = await revoke();
  expect([again.status, again.body.code]).toEqual([404, 'grant_not_found']);
  expect((await app.request('GET', '/auth/grants', { token: member.token })).body.data).toEqual([]);
  const events = await app.sql.list(sql`select data from events where type = 'grants.revoked'`);
  expect(events).toEqual([{ data: { grant_id: id, user_id: member.user_id } }]);
  const { body } = await app.request('GET', '/audit-log', { token: member.token });
  const actions = body.data.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['grants.allowed', 'grants.revoked']));
});

test('a grant of another user, an unknown one and a bad id are refused, and need a login', async () => {
  const [member, other] = [await app.registerMember(), await app.registerMember()];
  const id = await allowAgent(app, other);
  const revoke = (which: string, token?: string) =>
    app.request('DELETE', `/auth/grants/${which}`, { ...(token !== undefined && { token }) });
  expect((await revoke(id, member.token)).body.code).toBe('grant_not_found');
  expect((await revoke('none', member.token)).body.code).toBe('field_invalid');
  expect((await revoke(id)).status).toBe(401);
  expect(await isLive(id)).toBe(true);
});
