import fc from 'fast-check';
import { expect, test } from 'vitest';
import { computeDigestTime } from './rules.ts';

test('a digest is due on the next Monday at 07:00 UTC, at most a week later', () => {
  const times = fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true });
  const property = fc.property(times, (now) => {
    const due = computeDigestTime(now);
    const wait_ms = due.getTime() - now.getTime();
    expect([due.getUTCDay(), due.toISOString().slice(10)]).toEqual([1, 'T07:00:00.000Z']);
    expect(wait_ms).toBeGreaterThan(0);
    expect(wait_ms).toBeLessThanOrEqual(7 * 86_400_000);
  });
  fc.assert(property);
});
