import { Type, type Static } from 'typebox';
import { formatIndexShard } from '#lib/concurrency/index-shard.ts';
import { operation, type Context } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { readIndexState } from './match-index.ts';
import { findListedVersion } from './store-vectors.ts';
import { getIndexReporter } from './report-index.ts';
import { listRecentNodes, type IndexNode } from './store-nodes.ts';

const nodeWire = closedObject({
  id: field(uuid, 'The id of the worker, new with each start.', 'f2a1b0c9-8d7e-4f6a-9b5c-4d3e2f1a0b9c'),
  name: field(Type.String(), 'The host and the process.', 'worker-1, process 4711'),
  readiness: field(
    Type.Enum(['building', 'behind', 'ready']),
    '`building`: not usable yet. `behind`: it has not followed the changes for over a minute.',
    'ready',
  ),
  members: field(Type.Integer({ minimum: 0 }), 'Deployed members in the index.', 48_210),
  bytes: field(Type.Integer({ minimum: 0 }), 'The memory of the index.', 4_628_160),
  lag_seconds: field(
    nullable(Type.Number({ minimum: 0 })),
    'The index has every change that is older than this; null until it is built.',
    0.4,
  ),
  reported_at: field(timestamp, 'When the worker described its index.', '2026-03-09T07:45:00.000Z'),
  part: field(
    nullable(Type.String()),
    'The part of the members that it holds, such as 2/4; null if it holds all of them.',
    null,
  ),
  is_this_process: field(Type.Boolean(), 'Whether the worker is the process that replies.', true),
});

export const readMatchIndex = operation({
  name: 'matches.readMatchIndex',
  title: 'Read the state of the match index',
  summary:
    'Lists the workers that have reported their match index within the last minute. Every worker has the whole index in memory, or one part of it.',
  who: ['platform_admin'],
  output: {
    200: closedObject({
      listed_version: field(
        nullable(Type.String()),
        'The version of the item parameters whose vectors are matched; null as long as there has been only one.',
        '1.1.d92c0f3ab1e44c07',
      ),
      nodes: field(Type.Array(nodeWire), 'The workers, in the order of their names.'),
    }),
  },
  run: async (context) => {
    const [nodes, { version }] = await Promise.all([
      listRecentNodes(context.database),
      findListedVersion(context.database),
    ]);
    const { id, name } = getIndexReporter(context);
    const others = nodes.filter((node) => node.id !== id);
    const shown = [...describeOwnNode(context, { id, name }), ...others];
    return { listed_version: version ?? null, nodes: shown.map((node) => toNodeWire(node, id)) };
  },
});

/** The index of this process as it is now, if it has one: its last report may be ten seconds old. */
function describeOwnNode(
  context: Context,
  { id, name }: { readonly id: string; readonly name: string },
): readonly ShownNode[] {
  const state = readIndexState(context);
  if (!state) return [];
  const { lag_seconds = null } = state;
  const { shard, shards } = context.config.indexShard ?? { shard: null, shards: null };
  return [{ ...state, id, name, lag_seconds, reported_at: context.now(), shard, shards }];
}

type ShownNode = Omit<IndexNode, 'address' | 'version'>;

function toNodeWire(
  { id, name, readiness, members, bytes, lag_seconds, reported_at, shard, shards }: ShownNode,
  own_id: string,
): Static<typeof nodeWire> {
  return {
    id,
    name,
    readiness,
    members,
    bytes,
    lag_seconds,
    reported_at: reported_at.toISOString(),
    part: shard === null || shards === null ? null : formatIndexShard({ shard, shards }),
    is_this_process: id === own_id,
  };
}
