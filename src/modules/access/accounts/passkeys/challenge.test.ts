import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecrets } from '#platform/security/secrets.ts';
import { createFakeClock } from '#test/harness.ts';
import { challengePurposes, createChallenge, readChallenge } from './challenge.ts';
import { challenge_seconds, isCountPlausible } from './rules.ts';

const secrets = createSecrets(randomBytes(32));
const clock = createFakeClock();
const services = { secrets, now: clock.now };
const use = fc.record({
  purpose: fc.constantFrom(...challengePurposes),
  user_id: fc.option(fc.uuid(), { nil: null }),
});

describe('a challenge', () => {
  it('is valid for its purpose and user only, until it expires', () => {
    fc.assert(
      fc.property(use, use, fc.integer({ min: 0, max: 2 * challenge_seconds }), (made, given, seconds) => {
        const { challenge, expires_at } = createChallenge(services, made);
        const now = () => new Date(clock.now().getTime() + seconds * 1000);
        const isSame = made.purpose === given.purpose && made.user_id === given.user_id;
        const read = readChallenge({ secrets, now }, challenge, given);
        expect(read !== undefined).toBe(isSame && expires_at > now());
      }),
    );
  });

  it('of any other text is refused without an error, even if only one character is different', () => {
    fc.assert(
      fc.property(use, fc.string({ maxLength: 100 }), fc.nat(71), (made, text, place) => {
        expect(readChallenge(services, text, made)).toBeUndefined();
        const { challenge } = createChallenge(services, made);
        const other = challenge[place] === 'A' ? 'B' : 'A';
        const changed = challenge.slice(0, place) + other + challenge.slice(place + 1);
        expect(readChallenge(services, changed, made)).toBeUndefined();
      }),
    );
  });

  it('is never the same twice', () => {
    const made = Array.from({ length: 100 }, () =>
      createChallenge(services, { purpose: 'log_in', user_id: null }),
    );
    expect(new Set(made.map(({ challenge }) => challenge)).size).toBe(100);
  });
});

describe('the count of signatures', () => {
  it('must grow, or stay 0', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (stored, presented) => {
        expect(isCountPlausible(stored, presented)).toBe(presented === 0 ? stored === 0 : presented > stored);
      }),
    );
  });
});
