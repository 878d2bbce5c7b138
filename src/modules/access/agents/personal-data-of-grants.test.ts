import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { allowAgent, findLiveGrant } from '#test/modules/grants.ts';
import { exportPersonalData } from './personal-data.ts';

test('an export lists the agents of a member; closing the account disconnects them, and erasure deletes them', async () => {
  const app = await startApp({ TESSERA_RETENTION_SECONDS: '60' });
  const member = await app.registerMember();
  const id = await allowAgent(app, member);
  const accounts = { user_ids: [member.user_id], emails: [member.email] };
  const [, exported] = await exportPersonalData(app.sql, member.member_id, accounts);
  expect(exported).toMatchObject({
    name: 'agent_grants',
    rows: [{ id, client_name: 'Agent Desk', tools: ['read_profile', 'update_profile'] }],
  });
  await app.request('DELETE', '/members/me', { token: member.token });
  expect(await findLiveGrant(app.platform, app.sql, id)).toBeUndefined();
  expect(await app.sql.list(sql`select revoked_at is not null as ended from agent_grants`)).toEqual([
    { ended: true },
  ]);
  app.clock.advance(61_000);
  await app.drainQueue();
  expect(await app.sql.list(sql`select from agent_grants`)).toEqual([]);
});
