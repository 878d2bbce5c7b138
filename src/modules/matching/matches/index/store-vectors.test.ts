import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { fillMeans, fillSlots, insertMembers, tierMeans } from '#test/modules/matching.ts';
import { waitUntilBlocked } from '#test/wait-until-blocked.ts';
import { lockVectors } from './store-vectors.ts';

const app = await startApp();

test('a member who is suspended while the lock is waited for is not found as deployed', async () => {
  const strong = { mean: fillMeans(tierMeans.strong), variance: fillSlots(0.15) };
  const [member_id] = await insertMembers(app, [strong]);
  const lock = () => app.sql.transaction((tx) => lockVectors(tx, undefined, [member_id!]));
  expect(await lock()).toMatchObject([{ member_id }]);
  let locked: ReturnType<typeof lock> | undefined;
  await app.sql.transaction(async (tx) => {
    await tx.run(sql`update members set account_status = 'suspended' where id = ${member_id}`);
    locked = lock();
    await waitUntilBlocked(app);
  });
  expect(await locked).toEqual([]);
});
