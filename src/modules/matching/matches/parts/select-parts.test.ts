import { expect, test } from 'vitest';
import type { IndexNode } from '../index/store-nodes.ts';
import { describeFault, selectParts } from './select-parts.ts';

const version = 'a'.repeat(64);

const buildNode = (
  shard: number | null,
  shards: number | null,
  changes: Partial<IndexNode> = {},
): IndexNode => ({
  id: `${shard}/${shards}`,
  name: `worker-${shard}`,
  readiness: 'ready',
  members: 10,
  bytes: 1_000,
  lag_seconds: 0,
  reported_at: new Date(0),
  shard,
  shards,
  address: `http://worker-${shard}:8421`,
  version,
  ...changes,
});

const buildSet = (shards: number) =>
  Array.from({ length: shards }, (_, index) => buildNode(index + 1, shards));

function select(nodes: readonly IndexNode[]): string | readonly string[] {
  const selection = selectParts(nodes, version);
  return 'reason' in selection ? selection.reason : selection.parts.map(({ id }) => id);
}

test('a complete set is asked in the order of its parts, and a worker with the whole index is not one of them', () => {
  expect(select([buildNode(null, null, { version: null }), ...buildSet(3).toReversed()])).toEqual([
    '1/3',
    '2/3',
    '3/3',
  ]);
});

test('a set that follows the changes too slowly is asked, because each part reads them before it answers', () => {
  expect(select([buildNode(1, 2, { readiness: 'behind' }), buildNode(2, 2)])).toEqual(['1/2', '2/2']);
});

test('more parts that come up beside others are used once all of them are built and listen', () => {
  const [few, many] = [buildSet(4), buildSet(8)];
  const ids = few.map(({ id }) => id);
  expect(select([...few, ...many.slice(1)])).toEqual(ids);
  expect(select([...few, buildNode(1, 8, { readiness: 'building' }), ...many.slice(1)])).toEqual(ids);
  expect(select([...few, buildNode(1, 8, { address: null }), ...many.slice(1)])).toEqual(ids);
  expect(select([...few, ...many])).toHaveLength(8);
  expect(select([...buildSet(2), ...many.slice(1)])).toEqual(['1/2', '2/2']);
});

test('what an incomplete set lacks is named in one line, with the reason', () => {
  const other = buildNode(3, 4, { version: 'b'.repeat(64), name: 'worker-3' });
  const building = buildNode(2, 4, { readiness: 'building' });
  expect(select([buildNode(1, 4), building, other])).toBe(
    'the match index lacks part 2/4 (worker-2 is still building it) and part 3/4 (worker-3 has another version of the service) and part 4/4 (no worker has reported that it holds it)',
  );
  expect(select([buildNode(1, 4), buildNode(1, 8), ...buildSet(4).slice(2)])).toMatch(/lacks part 2\/4 /);
});

test('parts of another version are never asked', () => {
  expect(select(buildSet(2).map((node) => ({ ...node, version: 'b'.repeat(64) })))).toBe(
    'all parts of the match index belong to another version of the service',
  );
  expect(select([buildNode(null, null)])).toBe(
    'no worker has reported that it holds a part of the match index',
  );
});

test('a fault names the part, the worker and the reason', () => {
  const part = { name: 'worker-2', shard: 2, shards: 4 };
  expect(describeFault(part, 'other_version')).toBe(
    'part 2/4 of the match index at worker-2 cannot be asked: it has another version of the service',
  );
  expect(describeFault(part, 'unreachable')).toMatch(/no answer \(unreachable\)$/);
});
