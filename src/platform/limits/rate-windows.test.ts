import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createFakeClock } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { openRateLimits } from './rate-limits.ts';
import { limitsByRole } from './rate-windows.ts';

type Role = keyof typeof limitsByRole;

/** Counts the requests that are allowed in the first minute, and in the first day if every minute is used up. */
async function countAllowed(role: Role): Promise<{ readonly minute: number; readonly day: number }> {
  const clock = createFakeClock();
  const limits = openRateLimits({
    enabled: true,
    redisUrl: undefined,
    clock,
    log: pino({ level: 'silent' }),
  });
  const countUntilRefused = async () => {
    for (let count = 0; ; count++)
      if (!(await limits.consume({ limit: limitsByRole[role], key: 'ada' })).allowed) return count;
  };
  const minute = await countUntilRefused();
  let day = minute;
  for (let minutes = 1; minutes < 24 * 60; minutes++) {
    clock.advance(60_000);
    day += await countUntilRefused();
  }
  await limits.close();
  return { minute, day };
}

describe('the limits of the specification', () => {
  test('a member has 120 requests per minute and 5,000 per day', async () => {
    proves('limit-member-capability-120-per-minute', 'limit-member-capability-5000-per-day');
    expect(await countAllowed('member')).toEqual({ minute: 120, day: 5_000 });
  });

  test.each(['org_viewer', 'auditor'] as const)(
    '%s has 60 requests per minute and 2,000 per day',
    async (role) => {
      proves('limit-org-viewer-and-auditor-60-per-minute', 'limit-org-viewer-and-auditor-2000-per-day');
      expect(await countAllowed(role)).toEqual({ minute: 60, day: 2_000 });
    },
  );

  test('an anonymous caller has 40 requests per minute and 20,000 per day', async () => {
    proves('limit-unauthenticated-40-per-minute', 'limit-unauthenticated-20000-per-day');
    expect(await countAllowed('anonymous')).toEqual({ minute: 40, day: 20_000 });
  });

  test('each role has its own limits', async () => {
    proves('limit-rates-set-per-role');
    expect(await countAllowed('org_admin')).toEqual({ minute: 120, day: 10_000 });
    expect((await countAllowed('platform_admin')).minute).toBe(600);
  });
});
