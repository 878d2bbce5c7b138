import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import { createJob } from '#test/modules/jobs.ts';
import { lockActiveJobs } from './store.ts';

const app = await startApp();
const org = await app.registerOrgAdmin();

test('active jobs are locked in the order of their ids, each once, and do not change until the transaction ends', async () => {
  const jobs = [await createJob(app, org.token), await createJob(app, org.token)];
  const closed = await createJob(app, org.token);
  await app.request('DELETE', `/orgs/me/jobs/${closed.id}`, { token: org.token });
  const ids = jobs.map(({ id }: { id: string }) => id).toSorted();
  const findUnlocked = (id: string) =>
    app.sql.find(sql`select id from jobs where id = ${id} for no key update skip locked`);
  await app.sql.transaction(async (tx) => {
    const locked = await lockActiveJobs(tx, [ids[1]!, closed.id, ids[0]!, unknownId, ids[1]!]);
    expect(locked.map(({ id }) => id)).toEqual(ids);
    expect(locked.map(({ status }) => status)).toEqual(['active', 'active']);
    expect(await Promise.all([...ids, closed.id].map(findUnlocked))).toEqual([
      undefined,
      undefined,
      { id: closed.id },
    ]);
  });
  expect(await findUnlocked(ids[0]!)).toEqual({ id: ids[0] });
});
