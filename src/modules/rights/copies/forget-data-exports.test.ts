import { expect, test } from 'vitest';
import { forgetDataExports } from './forget-data-exports.ts';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';

test('the hourly clean-up deletes the copies that are older than a week, and no younger one', async () => {
  const app = await startApp();
  const days = (count: number) => app.clock.advance(count * 24 * 3_600_000);
  const [old, young] = [await app.registerMember(), await app.registerMember()];
  const kept = () => app.sql.list(sql<{ member_id: string }>`select member_id from data_exports`);
  await app.request('POST', '/members/me/data-export', { token: old.token, body: {} });
  await app.drainQueue();
  days(3);
  const { body } = await app.request('POST', '/auth/login', {
    body: { email: young.email, password: young.password },
  });
  await app.request('POST', '/members/me/data-export', { token: body.access_token, body: {} });
  await app.drainQueue();
  await app.sql.transaction((tx) => app.platform.queue.send(tx, forgetDataExports, {}));
  await app.drainQueue();
  expect(await kept()).toHaveLength(2);
  days(4);
  await app.sql.transaction((tx) => app.platform.queue.send(tx, forgetDataExports, {}));
  await app.drainQueue();
  expect(await kept()).toEqual([{ member_id: young.member_id }]);
});
