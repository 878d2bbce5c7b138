import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { expectOperatorOnly, listActs } from '#test/modules/operator.ts';
import { loadPopulation } from '../../../../demo/load-population.ts';
import { calibrateItems } from './calibrate-items.ts';
import { estimateParameters } from './estimate-parameters.ts';
import { listGradedItems } from '#test/modules/items.ts';

const quiet = { write: () => true };
const items = listGradedItems('sincerity');

const app = await startApp();
const operator = await app.registerPlatformAdmin();
await loadPopulation(app.platform, { members: '105', jobs: '0', seed: '4' }, quiet);
const members: readonly string[] = (
  await app.sql.list(sql<{ id: string }>`select id from members where is_synthetic order by id`)
).map(({ id }) => id);

const start = () => app.request('POST', '/operator/calibrations', { token: operator.token, body: {} });
const read = (path: string) => app.request('GET', path, { token: operator.token });

/** Stores a complete assessment of each member. */
async function insertAssessments(ids: readonly string[], flags: readonly string[] = []): Promise<void> {
  const random = createSeededRandom(72);
  for (const member_id of ids) {
    const options = items.map(() => Math.floor(random() * 5));
    await app.sql.run(sql`
      insert into assessments (id, member_id, item_bank_version, started_at, completed_at, quality_flags, item_ids, options)
      values (${randomUUID()}, ${member_id}, 'mvp20-1', '2026-01-01', '2026-01-01', ${flags}, ${items.map(({ id }) => id)}::text[],
        ${options}::smallint[])`);
  }
}

test('is refused while too few members have given answers that can be used', async () => {
  await insertAssessments(members.slice(0, 99));
  await insertAssessments(members.slice(99, 101), ['straight_lining']);
  const { status, body } = await start();
  expect([status, body.code]).toEqual([409, 'calibration_answers_too_few']);
  expect(body.detail).toContain('Those of 99 can be used.');
  expect(await listActs(app, 'items.calibration_started')).toEqual([]);
});

test('estimates in the background what the command estimates, as a version that is not in use', async () => {
  await insertAssessments(members.slice(101, 104));
  const { status, body, headers } = await start();
  expect([status, body.status]).toEqual([202, 'queued']);
  expect(headers['location']).toContain(`/tasks/${body.task_id}`);
  const before = (await read('/operator/calibrations')).body;
  await app.drainQueue();
  expect((await read(`/tasks/${body.task_id}`)).body).toMatchObject({
    status: 'succeeded',
    progress: { done: 1_000, total: 1_000 },
  });
  const after = (await read('/operator/calibrations')).body;
  expect(after.in_use).toBe(before.in_use);
  expect(after.versions).toHaveLength(before.versions.length + 1);
  const [estimated] = after.versions;
  expect(estimated).toMatchObject({ provisional: true, respondents: 102 });
  expect(await calibrateItems(app.platform, {}, quiet)).toMatchObject({
    is_new: false,
    version: estimated.version,
    respondents: 102,
    left_out: { careless: 2 },
  });
  expect(await listActs(app, 'items.calibrated', operator.user_id)).toMatchObject([
    { actor_role: 'platform_admin', detail: { version: estimated.version } },
  ]);
});

test('the process serves requests while it computes, and a worker that stops ends the computation', async () => {
  const stop = new AbortController();
  let reports = 0;
  const running = runTask(
    app,
    estimateParameters,
    { user_id: operator.user_id },
    {
      signal: stop.signal,
      reportProgress: () => {
        // The loop of events is free while the thread computes, or no progress would arrive before the end.
        if (++reports === 3) stop.abort(new Error('the worker stops'));
        return Promise.resolve();
      },
    },
  );
  await expect(running).rejects.toThrow('the worker stops');
  expect(reports).toBe(3);
});

test('only a platform administrator may start it, and unknown fields are refused', async () => {
  await expectOperatorOnly(app, 'POST', '/operator/calibrations', {});
  const reply = await app.request('POST', '/operator/calibrations', {
    token: operator.token,
    body: { csv: 'x' },
  });
  expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/csv']);
});
