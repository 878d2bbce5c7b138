import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  computeDayBefore,
  computeExpiry,
  computeOrganisationWaitSeconds,
  computeResendWaitSeconds,
} from './rules.ts';

const now = new Date('2026-03-01T12:00:00Z');
const subtractMilliseconds = (ms: number) => new Date(now.getTime() - ms);

test('an organisation may send again after exactly the wait, and not a second earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 86_400_000 }), fc.integer({ min: 0, max: 300 }), (ms, mails) => {
      const recent = { mails, first_sent_at: subtractMilliseconds(ms) };
      const wait_s = computeOrganisationWaitSeconds(recent, now);
      expect(wait_s > 0).toBe(mails >= 100 && ms < 86_400_000);
      const later = new Date(now.getTime() + wait_s * 1000);
      expect(computeDayBefore(later) >= recent.first_sent_at || wait_s === 0).toBe(true);
      const justBefore = new Date(later.getTime() - 1000);
      expect(wait_s === 0 || computeOrganisationWaitSeconds(recent, justBefore) > 0).toBe(true);
      expect(computeOrganisationWaitSeconds(recent, later)).toBe(0);
    }),
  );
});

test('an organisation that has sent nothing does not wait', () => {
  expect(computeOrganisationWaitSeconds({ mails: 0, first_sent_at: null }, now)).toBe(0);
});

test('an invitation can be sent again after ten minutes, and expires after seven days', () => {
  expect(
    [0, 599_000, 599_999, 600_000, 900_000].map((ms) =>
      computeResendWaitSeconds(subtractMilliseconds(ms), now),
    ),
  ).toEqual([600, 1, 1, 0, 0]);
  expect(computeExpiry(now)).toEqual(new Date('2026-03-08T12:00:00Z'));
});
