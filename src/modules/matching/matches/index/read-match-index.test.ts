import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { startApp } from '#test/harness.ts';
import { startPart } from '#test/modules/index-parts.ts';
import { expectOperatorOnly } from '#test/modules/operator.ts';
import { runTask } from '#test/modules/matching.ts';
import { forgetChanges } from './forget-changes.ts';
import { getMatchIndex } from './match-index.ts';
import { getIndexReporter } from './report-index.ts';

/** Nodes of one service share the master key. */
const environment = { TESSERA_MASTER_KEY: randomBytes(32).toString('base64') };

const app = await startApp(environment);
const operator = await app.registerPlatformAdmin();

const read = async () =>
  (await app.request('GET', '/operator/match-index', { token: operator.token })).body.nodes as {
    id: string;
    readiness: string;
    members: number;
    is_this_process: boolean;
  }[];

test('each worker reports its index, and every node shows all of them', async () => {
  const other = await startApp(environment, app.sql.settings as TestPostgres);
  await app.registerDeployedMember();
  await getMatchIndex(other.platform).refresh();
  await getIndexReporter(other.platform).report();
  expect(await read()).toMatchObject([
    { readiness: 'building', members: 0, is_this_process: true },
    { id: getIndexReporter(other.platform).id, readiness: 'ready', members: 1, is_this_process: false },
  ]);
  await getIndexReporter(app.platform).report();
  expect(await read()).toHaveLength(2);
});

test('a worker that stops removes its report, and one that was killed is not shown after a minute and forgotten after a day', async () => {
  const other = await startApp(environment, app.sql.settings as TestPostgres);
  getIndexReporter(other.platform).start();
  const { id } = getIndexReporter(other.platform);
  const isStored = async () =>
    (await app.sql.list(sql`select id from match_index_nodes where id = ${id}`)).length === 1;
  await expect.poll(isStored).toBe(true);
  await app.sql.run(
    sql`update match_index_nodes set reported_at = now() - interval '61 seconds' where id = ${id}`,
  );
  expect((await read()).some((node) => node.id === id)).toBe(false);
  await runTask(app, forgetChanges, {});
  expect(await isStored()).toBe(true);
  await app.sql.run(
    sql`update match_index_nodes set reported_at = now() - interval '25 hours' where id = ${id}`,
  );
  await runTask(app, forgetChanges, {});
  expect(await isStored()).toBe(false);
  await getIndexReporter(other.platform).report();
  await other.platform.memory.close();
  expect(await isStored()).toBe(false);
});

test('the part of a worker is shown, and none for one that has the whole index', async () => {
  const { app: part } = await startPart(app, '2/4', environment);
  await getIndexReporter(app.platform).report();
  const nodes = await read();
  const find = (id: string) => nodes.find((node) => node.id === id);
  expect(find(getIndexReporter(part.platform).id)).toMatchObject({ part: '2/4', readiness: 'ready' });
  expect(find(getIndexReporter(app.platform).id)).toMatchObject({ part: null });
});

test('only a platform administrator may read it', () =>
  expectOperatorOnly(app, 'GET', '/operator/match-index'));
