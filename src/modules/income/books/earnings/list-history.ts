import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { countReads, listReads } from './store.ts';
import { readWire, toReadWire } from './wire.ts';

const limit = Type.Integer({ minimum: 1, maximum: 100 });
const offset_max = 100_000;
const offset = Type.Integer({ minimum: 0, maximum: offset_max });

export const listHistory = operation({
  name: 'books.listHistory',
  title: 'List reads of your identity',
  summary:
    'Lists the reads of the caller’s identity data, newest first: which organisation read what, when, and for how much.',
  who: ['member'],
  input: Type.Object({
    limit: field({ ...limit, default: 20 }, 'The largest number of reads.', 20),
    offset: field({ ...offset, default: 0 }, 'How many of the newest reads are left out.', 0),
  }),
  output: {
    200: closedObject({
      data: Type.Array(readWire),
      pagination: closedObject({
        limit: field(limit, 'The requested number of reads.', 20),
        offset: field(offset, 'The requested offset.', 0),
        has_more: field(Type.Boolean(), 'Whether older reads follow.', false),
        total_count: field(Type.Integer({ minimum: 0 }), 'The number of all reads.', 1),
      }),
    }),
  },
  refuses: [],
  run: async ({ database, caller, now }, page) => {
    const [reads, counts] = await Promise.all([
      listReads(database, caller.member_id, page),
      countReads(database, caller.member_id),
    ]);
    const total_count = counts.transaction_count + counts.recognition_count;
    return {
      data: reads.map((read) => toReadWire(read, now())),
      pagination: {
        limit: page.limit,
        offset: page.offset,
        has_more: page.offset + reads.length < total_count,
        total_count,
      },
    };
  },
});
