import { Type } from 'typebox';
import { editable, fixed, given, changeable, maintained, resource } from '#platform/resource.ts';
import type { Row } from '#platform/resource.ts';
import { field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { addressInput } from '../postings/board-address.ts';
import { sampleIds } from '#platform/schema-samples.ts';

/** A board whose jobs are read every day. */
export const boardResource = resource(
  { table: 'boards', $id: 'Board' },
  {
    id: fixed(field(uuid, 'The id of the followed board.', '0f6f3a52-6d0e-4b1c-9a77-2f1c5e8d4b90')),
    org_id: fixed(field(uuid, 'Your organisation.', sampleIds.organisation)),
    url: given(field(Type.String(), 'The address.', 'https://jobs.lever.co/river-murray-trust'), {
      input: addressInput,
    }),
    closes_gone: editable(
      field(
        Type.Boolean(),
        'Whether a job is closed when its posting was missing at two readings, a day apart. Otherwise this is only proposed.',
        false,
      ),
      { default: false },
    ),
    chosen_by: maintained(uuid, { hidden: true }),
    is_active: changeable(
      field(
        Type.Boolean(),
        'Whether it is read every day. False after a pause by PATCH, or after seven days in a row on which it could not be read.',
        true,
      ),
      { default: true },
    ),
    failure_count: maintained(
      field(Type.Integer({ minimum: 0 }), 'The days in a row on which it could not be read.', 0),
      { default: 0 },
    ),
    last_fault: maintained(
      field(
        nullable(Type.String()),
        'Why the last reading failed: “The address …”. Null if it worked.',
        null,
      ),
      { default: null },
    ),
    read_at: maintained(
      field(nullable(timestamp), 'When its jobs were read last.', '2026-03-02T04:17:00.000Z'),
      { as: 'time', default: null },
    ),
    posting_count: maintained(
      field(Type.Integer({ minimum: 0 }), 'How many jobs it had, at most 1,000.', 12),
      { default: 0 },
    ),
    left_out: maintained(
      field(
        Type.Integer({ minimum: 0 }),
        'How many further jobs it had: those after the first 1,000, and those without an id.',
        0,
      ),
      { default: 0 },
    ),
    next_read_at: maintained(
      field(timestamp, 'When it is read next, unless it is paused.', '2026-03-03T04:31:00.000Z'),
      { as: 'time' },
    ),
    created_at: fixed(timestamp, { as: 'time' }),
  },
);

export type Board = Row<typeof boardResource>;
