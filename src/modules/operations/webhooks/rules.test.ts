import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  applyPatch,
  checkSecret,
  computeClaimSize,
  computeFreeRequests,
  computeReplyTime,
  countAttempts,
  decideNextStep,
  decideResumption,
  readRetryAfter,
  type DeliveryError,
} from './rules.ts';
import type { Subscription } from './resource.ts';
import { proves } from '#test/requirements.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
const schedule_s = [60, 300, 900, 3_600, 7_200];
const failed = { error: 'http_status', retry_after_s: null } as const;

describe('a delivery', () => {
  test('that fails is retried after 1 minute, 5 minutes, 15 minutes, 1 hour and 2 hours, and has then failed', () => {
    proves('webhook-retry-delays', 'webhook-delivery-failed-after-five-retries');
    const steps = [0, 1, 2, 3, 4, 5].map((retries) =>
      decideNextStep(failed, { retries, schedule_s, is_active: true, now }),
    );
    expect(
      steps.map(
        ({ next_attempt_at }) => next_attempt_at && (next_attempt_at.getTime() - now.getTime()) / 60_000,
      ),
    ).toEqual([1, 5, 15, 60, 120, null]);
    expect(steps.map(({ status }) => status)).toEqual([...Array<string>(5).fill('pending'), 'failed']);
  });

  test('that succeeds is delivered, after any number of retries', () => {
    fc.assert(
      fc.property(fc.nat(10), fc.boolean(), (retries, is_active) => {
        const step = decideNextStep(
          { error: null, retry_after_s: 5 },
          { retries, schedule_s, is_active, now },
        );
        expect(step).toEqual({ status: 'delivered', next_attempt_at: null });
      }),
    );
  });

  test('waits for as long as the receiver asks, if that is longer than the schedule', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(7_200), (retries, retry_after_s) => {
        const { next_attempt_at } = decideNextStep(
          { ...failed, retry_after_s },
          { retries, schedule_s, is_active: true, now },
        );
        const waits_s = (next_attempt_at!.getTime() - now.getTime()) / 1000;
        expect(waits_s).toBe(Math.max(retry_after_s, schedule_s[retries]!));
      }),
    );
  });

  test('has failed after a 410, and when its subscription has become inactive', () => {
    const context = { retries: 0, schedule_s, now };
    for (const step of [
      decideNextStep({ ...failed, error: 'gone' }, { ...context, is_active: true }),
      decideNextStep(failed, { ...context, is_active: false }),
    ])
      expect(step).toEqual({ status: 'failed', next_attempt_at: null });
  });
});

describe('the failures of an endpoint', () => {
  const outcome = fc.constantFrom<DeliveryError | null>(null, 'timeout', 'http_status', 'unreachable');
  const toAttempts = (errors: readonly (DeliveryError | null)[]) => errors.map((error) => ({ error }));

  test('ten in a row deactivate it, and a success between them does not', () => {
    proves('webhook-ten-consecutive-failures-deactivate');
    const nine = toAttempts(Array<DeliveryError>(9).fill('timeout'));
    const start = { failure_count: 0, is_active: true };
    expect(countAttempts(start, nine)).toEqual({ failure_count: 9, is_active: true, reason: undefined });
    expect(countAttempts(start, [...nine, { error: 'timeout' }])).toEqual({
      failure_count: 10,
      is_active: false,
      reason: 'failures',
    });
    expect(countAttempts(start, [...nine, { error: null }, ...nine])).toMatchObject({ is_active: true });
  });

  test('are the same whether attempts are counted together or one by one', () => {
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 40 }), fc.nat(9), (errors, failure_count) => {
        const start = { failure_count, is_active: true };
        const together = countAttempts(start, toAttempts(errors));
        let each = countAttempts(start, []);
        for (const attempt of toAttempts(errors)) each = countAttempts(each, [attempt]);
        expect(each).toMatchObject({ failure_count: together.failure_count, is_active: together.is_active });
        const text = errors.map((error) => (error === null ? '.' : 'x')).join('');
        expect(together.is_active).toBe(!('x'.repeat(failure_count) + text).includes('x'.repeat(10)));
      }),
    );
  });

  test('a 410 deactivates it at once', () => {
    expect(countAttempts({ failure_count: 0, is_active: true }, [{ error: 'gone' }])).toEqual({
      failure_count: 1,
      is_active: false,
      reason: 'gone',
    });
  });

  test('let one request at a time through, and five if there are none', () => {
    expect([0, 3, 5, 9].map((in_progress) => computeFreeRequests(0, in_progress))).toEqual([5, 2, 0, 0]);
    expect([0, 1, 5].map((in_progress) => computeFreeRequests(1, in_progress))).toEqual([1, 0, 0]);
  });
});

describe('the rest of an endpoint', () => {
  test('begins after three failures in a row, grows to five seconds, and ends with a success', () => {
    const rests = Array.from({ length: 10 }, (_, failure_count) => {
      const until = decideResumption(failure_count, now);
      return until && until.getTime() - now.getTime();
    });
    expect(rests).toEqual([null, null, null, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });
});

describe('Retry-After', () => {
  test.each([
    ['120', 120],
    [' 7 ', 7],
    ['0', 0],
    ['999999999', 7_200],
    ['9'.repeat(400), 7_200],
    ['-5', 0],
    ['1e9', null],
    ['0x10', null],
    ['Mon, 02 Mar 2026 09:10:00 GMT', 600],
    ['Mon, 02 Mar 2026 08:00:00 GMT', 0],
    ['Mon, 02 Mar 2036 08:00:00 GMT', 7_200],
    ['soon', null],
    ['', null],
    ['-', null],
  ])('%j is %j seconds', (header, seconds) => {
    expect(readRetryAfter(header, now)).toBe(seconds);
  });

  test('is absent or between 0 and two hours, whatever it contains', () => {
    expect(readRetryAfter(undefined, now)).toBeNull();
    fc.assert(
      fc.property(fc.string(), (header) => {
        const seconds = readRetryAfter(header, now);
        expect(seconds === null || (seconds >= 0 && seconds <= 7_200)).toBe(true);
      }),
    );
  });
});

describe('a change of a subscription', () => {
  const before: Subscription = {
    id: 'a',
    org_id: 'b',
    url: 'https://one.example/',
    events: ['match.accepted'],
    is_active: false,
    failure_count: 10,
    previous_secret_expires_at: null,
    created_at: now,
  };

  test('counts failures from zero when it is enabled or gets another URL, and not otherwise', () => {
    expect(applyPatch(before, { is_active: true })).toEqual({ ...before, is_active: true, failure_count: 0 });
    expect(applyPatch(before, { url: 'https://two.example/' })).toMatchObject({ failure_count: 0 });
    expect(applyPatch(before, { events: ['match.declined'] })).toMatchObject({ failure_count: 10 });
    expect(applyPatch({ ...before, is_active: true, failure_count: 3 }, { is_active: true })).toMatchObject({
      failure_count: 3,
    });
  });

  test('must change something', () => {
    expect(() => applyPatch(before, {})).toThrow('must have at least one of url, events, is_active');
  });
});

describe('a secret', () => {
  test.each([
    'a-secret-of-twenty-chars',
    `whsec_${Buffer.alloc(24).toString('base64')}`,
    `whsec_${Buffer.alloc(64).toString('base64')}`,
  ])('may be %s', (secret) => {
    expect(() => checkSecret(secret)).not.toThrow();
  });

  test.each([
    'whsec_',
    'whsec_not-base64-at-all!',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
  ])('must not be %s', (secret) => {
    expect(() => checkSecret(secret)).toThrow('24 to 64 bytes');
  });
});

describe('a claim', () => {
  const none = { in_progress: 0, waiting: 0, succeeded: 0, reply_ms: undefined };

  test('takes few for an endpoint about which nothing is known, and more with each reply of a fast one', () => {
    expect(computeClaimSize(0, none)).toBe(25);
    expect(computeClaimSize(0, { ...none, succeeded: 25, reply_ms: 10 })).toBe(75);
    expect(computeClaimSize(0, { ...none, succeeded: 500, reply_ms: 10 })).toBe(105);
  });

  test('takes as many ahead for a slow endpoint as it will accept while they may wait, and one round at least', () => {
    expect(computeClaimSize(0, { ...none, succeeded: 5, reply_ms: 1_000 })).toBe(15);
    expect(computeClaimSize(0, { ...none, succeeded: 5, reply_ms: 20_000 })).toBe(10);
  });

  test('takes one at a time for an endpoint that fails', () => {
    expect(computeClaimSize(1, { ...none, succeeded: 3, reply_ms: 10 })).toBe(1);
    expect(computeClaimSize(1, { ...none, in_progress: 1 })).toBe(0);
  });

  test('never takes more than a bounded number in all, however the endpoint is', () => {
    const counts = fc.record({
      in_progress: fc.nat(5),
      waiting: fc.nat(100),
      succeeded: fc.nat(1_000),
      reply_ms: fc.option(fc.nat(30_000), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.nat(12), counts, (failure_count, context) => {
        const size = computeClaimSize(failure_count, context);
        expect(size).toBeGreaterThanOrEqual(0);
        expect(size + context.in_progress + context.waiting).toBeLessThanOrEqual(105);
        expect(size).toBeLessThanOrEqual(failure_count > 0 ? 1 : 105);
      }),
    );
  });

  test('reckons with the mean of the latest replies', () => {
    expect(computeReplyTime([])).toBeUndefined();
    expect(computeReplyTime([{ duration_ms: 100 }, { duration_ms: 300 }])).toBe(200);
  });
});
