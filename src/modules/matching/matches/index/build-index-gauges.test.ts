import { expect, test } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { partEnvironment, startPart } from '#test/modules/index-parts.ts';
import { buildIndexGauges, readPartStates } from './build-index-gauges.ts';
import { getMatchIndex } from './match-index.ts';

test('a process that matches describes its index, and another one says nothing about it', async () => {
  const { platform } = await startApp();
  const readValues = (process: typeof platform) =>
    Object.fromEntries(
      buildIndexGauges(process).flatMap(({ name, read, labelNames }) =>
        labelNames
          ? []
          : [
              [
                name.replace('tessera_match_index_', ''),
                (read() as readonly (readonly [object, number])[])[0]?.[1],
              ],
            ],
      ),
    );
  const unread = { members: undefined, bytes: undefined, ready: undefined, lag_seconds: undefined };
  expect(readValues(platform)).toEqual({ ...unread, members: 0, bytes: 0, ready: 0 });
  expect(readPartStates(platform)).toEqual({ matching: 'building' });
  await getMatchIndex(platform).refresh();
  expect(readValues(platform)).toMatchObject({ members: 0, ready: 1, lag_seconds: 0 });
  expect(readPartStates(platform)).toEqual({ matching: 'ready' });
  const { config } = platform;
  const other = { ...platform, config: { ...config, serves: { api: true, worker: false } } };
  expect(readValues(other)).toEqual(unread);
  expect(readPartStates(other)).toEqual({});
});

test('a process that holds a part says how old the report of each part is', async () => {
  const app = await startApp(partEnvironment);
  const { app: first } = await startPart(app, '1/2');
  await startPart(app, '2/2');
  await app.sql.run(
    sql`update match_index_nodes set reported_at = now() - interval '50 seconds' where shard = 2`,
  );
  const readAges = async (process: typeof first.platform) => await buildIndexGauges(process).at(-1)!.read();
  const [own, other] = await readAges(first.platform);
  expect([own![0], other![0]]).toEqual([{ part: '1/2' }, { part: '2/2' }]);
  expect(own![1]).toBeLessThan(49);
  expect(other![1]).toBeGreaterThanOrEqual(50);
  expect(await readAges(app.platform)).toEqual([]);
});
