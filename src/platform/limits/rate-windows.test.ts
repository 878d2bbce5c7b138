import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { openRateLimits, type Subject } from './rate-limits.ts';
import { createFakeClock } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

type Role = Subject['role'];

/** How many requests pass in the first minute, and in the first day when every minute is used up. */
async function passed(role: Role): Promise<{ readonly minute: number; readonly day: number }> {
  const clock = createFakeClock();
  const limits = openRateLimits({
    enabled: true,
    redisUrl: undefined,
    clock,
    log: pino({ level: 'silent' }),
  });
  const untilRefused = async () => {
    for (let count = 0; ; count++) if (!(await limits.consume({ role, key: 'ada' })).allowed) return count;
  };
  const minute = await untilRefused();
  let day = minute;
  for (let minutes = 1; minutes < 24 * 60; minutes++) {
    clock.advance(60_000);
    day += await untilRefused();
  }
  await limits.close();
  return { minute, day };
}

describe('the rates of the specification', () => {
  test('a member: 120 a minute, 5,000 a day', async () => {
    proves('limit-member-capability-120-per-minute', 'limit-member-capability-5000-per-day');
    expect(await passed('member')).toEqual({ minute: 120, day: 5_000 });
  });

  test.each(['org_viewer', 'auditor'] as const)('%s: 60 a minute, 2,000 a day', async (role) => {
    proves('limit-org-viewer-and-auditor-60-per-minute', 'limit-org-viewer-and-auditor-2000-per-day');
    expect(await passed(role)).toEqual({ minute: 60, day: 2_000 });
  });

  test('nobody signed in: 40 a minute, 20,000 a day', async () => {
    proves('limit-unauthenticated-40-per-minute', 'limit-unauthenticated-20000-per-day');
    expect(await passed('anonymous')).toEqual({ minute: 40, day: 20_000 });
  });

  test('each role has its own rate, whoever pays', async () => {
    proves('limit-rates-set-per-role');
    expect(await passed('org_admin')).toEqual({ minute: 120, day: 10_000 });
    expect((await passed('platform_admin')).minute).toBe(600);
  });
});
