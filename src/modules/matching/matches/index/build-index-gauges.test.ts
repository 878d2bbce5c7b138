import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { buildIndexGauges, readPartStates } from './build-index-gauges.ts';
import { getMatchIndex } from './match-index.ts';

test('a process that matches describes its index, and another one says nothing about it', async () => {
  const { platform } = await startApp();
  const readValues = (process: typeof platform) =>
    Object.fromEntries(
      buildIndexGauges(process).map(({ name, read }) => [
        name.replace('tessera_match_index_', ''),
        (read() as readonly (readonly [object, number])[])[0]?.[1],
      ]),
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
