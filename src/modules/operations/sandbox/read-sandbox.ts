import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { requireTestClock } from './require-test-clock.ts';
import { findSandbox } from './store.ts';

export const readSandbox = operation({
  name: 'sandbox.readSandbox',
  title: 'Read the sandbox',
  summary:
    'Returns the time of the test clock, and what the made-up people were drawn with. Only a sandbox has this row.',
  who: ['org_admin', 'platform_admin'],
  input: Type.Object({}),
  output: {
    200: closedObject({
      now: field(timestamp, 'The time of the test clock.', '2026-04-01T09:00:00.000Z'),
      ahead_seconds: field(
        Type.Integer({ minimum: 0 }),
        'By how many seconds the test clock is ahead of real time.',
        2_592_000,
      ),
      seed: field(
        nullable(Type.Integer()),
        'The seed of the made-up people; null before they are stored.',
        1,
      ),
      members: field(
        nullable(Type.Integer()),
        'How many made-up people there are; null before they are stored.',
        500,
      ),
      created_at: timestamp,
    }),
  },
  refuses: ['sandbox_not_found'],
  run: async (context) => {
    const clock = requireTestClock(context);
    const { seed, member_count, created_at } = requireFound(
      await findSandbox(context.database),
      'sandbox_not_found',
    );
    const ahead_seconds = Math.floor(clock.readAhead() / 1_000);
    return {
      now: clock.now().toISOString(),
      ahead_seconds,
      seed,
      members: member_count,
      created_at: created_at.toISOString(),
    };
  },
});
