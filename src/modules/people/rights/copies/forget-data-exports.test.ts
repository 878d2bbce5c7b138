import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { forgetDataExports } from './forget-data-exports.ts';

test('deletes data exports that are older than a week, and no others', async () => {
  const app = await startApp();
  const advanceDays = (count: number) => app.clock.advance(count * 24 * 3_600_000);
  const [old, young] = [await app.registerMember(), await app.registerMember()];
  const listExports = () => app.sql.list(sql<{ member_id: string }>`select member_id from data_exports`);
  await app.request('POST', '/members/me/data-export', { token: old.token, body: {} });
  await app.drainQueue();
  advanceDays(3);
  const { body } = await app.request('POST', '/auth/login', {
    body: { email: young.email, password: young.password },
  });
  await app.request('POST', '/members/me/data-export', { token: body.access_token, body: {} });
  await app.drainQueue();
  await app.sql.transaction((tx) => app.platform.queue.send(tx, forgetDataExports, {}));
  await app.drainQueue();
  expect(await listExports()).toHaveLength(2);
  advanceDays(4);
  await app.sql.transaction((tx) => app.platform.queue.send(tx, forgetDataExports, {}));
  await app.drainQueue();
  expect(await listExports()).toEqual([{ member_id: young.member_id }]);
});
