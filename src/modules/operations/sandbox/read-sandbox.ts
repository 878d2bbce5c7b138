import { Type, type Static } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { requireTestClock } from './require-test-clock.ts';
import { yearStatuses, type Year } from './rules.ts';
import { findSandbox } from './store.ts';
import { hasYearFailed } from './year/has-year-failed.ts';

const shownStatuses = [...yearStatuses, 'failed'] as const;

const count = Type.Integer({ minimum: 0 });

/** A year, as it is shown to all organisations of the sandbox. */
const yearWire = closedObject({
  seed: field(Type.Integer(), 'What it is drawn with.', 1),
  status: field(
    Type.Enum(shownStatuses),
    'Whether it is being played, or how it has ended. `failed`: its background task has failed for good.',
    'running',
  ),
  began_at: field(
    nullable(timestamp),
    'The beginning of its first day; null until it begins.',
    '2026-04-02T00:00:00.000Z',
  ),
  acts_done: field(count, 'How many of its acts were played.', 400),
  acts_total: field(count, 'How many acts it has.', 2_800),
});

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
      year: field(
        nullable(yearWire),
        'The latest year that was asked for by `POST /sandbox/year`; null before the first.',
        null,
      ),
    }),
  },
  refuses: ['sandbox_not_found'],
  run: async (context) => {
    const clock = requireTestClock(context);
    const { seed, member_count, created_at, year } = requireFound(
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
      year: year && toYearWire(year, await hasYearFailed(context.database, year)),
    };
  },
});

function toYearWire(
  { seed, status, began_at, acts_done, acts_total }: Year,
  has_failed: boolean,
): Static<typeof yearWire> {
  return {
    seed,
    status: has_failed ? 'failed' : status,
    began_at: began_at?.toISOString() ?? null,
    acts_done,
    acts_total,
  };
}
