import { Type } from 'typebox';
import { closedObject, field } from '#platform/schema.ts';

const count = Type.Integer({ minimum: 0 });

/** How tiers of the compared members would move. */
export const tierMovesField = field(
  closedObject({
    jobs: field(count, 'The active jobs that were compared.', 64),
    lists: field(count, 'The jobs whose list would change.', 41),
    kept: field(count, 'Tiers that stay.', 12_000),
    better: field(count, 'Tiers that become better.', 400),
    worse: field(count, 'Tiers that become worse.', 400),
  }),
  'What becomes of the tiers of these members.',
);
