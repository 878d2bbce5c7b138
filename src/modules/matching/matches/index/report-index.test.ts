import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from '#platform/config.ts';
import { sql } from '#platform/database/database.ts';
import type { TestPostgres } from '#test/global-setup.ts';
import { startApp } from '#test/harness.ts';
import { partEnvironment, startPart } from '#test/modules/index-parts.ts';
import { getIndexReporter, watchMatchIndex } from './report-index.ts';

const app = await startApp(partEnvironment);

const listHolders = () =>
  app.sql.list(sql<{ id: string; address: string | null }>`
    select id, address from match_index_nodes where shard is not null order by shards, shard`);

const startTwin = (part: string) =>
  startApp(
    { ...partEnvironment, TESSERA_INDEX_SHARD: part, TESSERA_ROLES: 'worker' },
    app.sql.settings as TestPostgres,
  );

test('a second process with the same part is refused in one line while the first one answers, and changes nothing', async () => {
  const first = await startPart(app, '1/2');
  const before = await listHolders();
  const twin = await startTwin('1/2');
  const starting = watchMatchIndex(twin.platform);
  await expect(starting).rejects.toThrow(ConfigError);
  await expect(starting).rejects.toThrow(
    /^TESSERA_INDEX_SHARD is 1\/2, but \S+, process \d+ holds this part of the match index already$/,
  );
  await twin.close();
  expect(await listHolders()).toEqual(before);
  const other = await startTwin('2/2');
  await watchMatchIndex(other.platform);
  expect(await listHolders()).toHaveLength(2);
  await other.close();
  await first.app.close();
  expect(await listHolders()).toEqual([]);
});

test('the place of a process that was killed is free at once, and that of one that is starting for a minute', async () => {
  const killed = await startPart(app, '1/4');
  await killed.app.internalServer.close();
  const next = await startTwin('1/4');
  // It has the place, and reports nothing more on its own: it is starting.
  await getIndexReporter(next.platform).claim();
  expect(await listHolders()).toMatchObject([{ id: getIndexReporter(next.platform).id, address: null }]);
  // The first one was not killed after all, and is not asked again.
  await getIndexReporter(killed.app.platform)
    .report()
    .catch(() => undefined);
  expect(await listHolders()).toHaveLength(1);
  const third = await startTwin('1/4');
  await expect(watchMatchIndex(third.platform)).rejects.toThrow(/holds this part/);
  await app.sql.run(sql`update match_index_nodes set reported_at = now() - interval '61 seconds'`);
  await watchMatchIndex(third.platform);
  expect(await listHolders()).toMatchObject([{ id: getIndexReporter(third.platform).id }]);
});

test('a process of another version may hold the same part beside it', async () => {
  const { app: first } = await startPart(app, '1/8');
  await app.sql.run(sql`update match_index_nodes set version = 'earlier' where shards = 8`);
  const next = await startTwin('1/8');
  await watchMatchIndex(next.platform);
  expect((await listHolders()).length).toBeGreaterThanOrEqual(2);
  await first.close();
});

test('another program at the address of a killed process counts as that process until its report is old', async () => {
  const { app: first } = await startPart(app, '1/16');
  const server = createServer((_request, response) => response.end('ok'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  await getIndexReporter(first.platform).announce(
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  );
  const next = await startTwin('1/16');
  await expect(watchMatchIndex(next.platform)).rejects.toThrow(/holds this part/);
});
