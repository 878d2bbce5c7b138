import { Type } from 'typebox';
import { closedObject, uuid } from '#platform/schema.ts';

const following = Type.Boolean({
  description: 'Whether the caller follows the job, and is emailed when a member accepts or declines.',
  examples: [true],
});

export const followingInput = { following };

export const followingWire = closedObject(
  {
    job_id: Type.Unsafe<string>({
      ...uuid,
      description: 'The id of the job.',
      examples: ['5e1f0a77-0c1d-8a2b-8000-000000000000'],
    }),
    following,
  },
  { $id: 'JobFollowing' },
);
