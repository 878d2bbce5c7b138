import { Type } from 'typebox';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';

/** How many people meet the conditions of a job, as a band. */
export const reachWire = closedObject(
  {
    at_least: field(
      nullable(Type.Integer({ minimum: 0 })),
      'The lower bound of the band; 0 for the lowest one. Null while the people are counted for the first time.',
      200,
    ),
    less_than: field(
      nullable(Type.Integer({ minimum: 20 })),
      'The upper bound of the band. Null while the people are counted for the first time.',
      500,
    ),
    counted_at: field(
      nullable(timestamp),
      'When the people were counted; null before the first count.',
      '2026-03-02T09:00:00.000Z',
    ),
  },
  { $id: 'JobReach' },
);
