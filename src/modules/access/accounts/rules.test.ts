import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proves } from '#test/requirements.ts';
import { measureProcessorTime } from '#test/processor-time.ts';
import {
  toCanonicalEmail,
  isEmail,
  computeMailWaitSeconds,
  listPasswordFaults,
  judgeRefreshToken,
} from './rules.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
const addSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('the password rule', () => {
  const good = 'Correct-Horse-7';

  it('accepts twelve characters of all four kinds', () => {
    expect(listPasswordFaults('Abcdefgh123!')).toEqual([]);
    expect(listPasswordFaults(good)).toEqual([]);
  });

  it('names the part that is missing', () => {
    proves(
      'auth-password-min-12-characters',
      'auth-password-needs-uppercase',
      'auth-password-needs-lowercase',
      'auth-password-needs-digit',
      'auth-password-needs-special-character',
    );
    expect(listPasswordFaults('Abcdefgh12!')).toEqual(['needs at least 12 characters']);
    expect(listPasswordFaults(good.toLowerCase())).toEqual(['needs an uppercase letter']);
    expect(listPasswordFaults(good.toUpperCase())).toEqual(['needs a lowercase letter']);
    expect(listPasswordFaults('Correct-Horse-X')).toEqual(['needs a digit']);
    expect(listPasswordFaults('CorrectHorse77')).toEqual(['needs a special character']);
    expect(listPasswordFaults(good + 'x'.repeat(256))).toEqual(['must have at most 256 characters']);
  });

  it('names all parts that are missing at once', () => {
    expect(listPasswordFaults('')).toHaveLength(5);
  });

  it('counts characters instead of UTF-16 units, and accepts letters of every script', () => {
    expect(listPasswordFaults('Aa1' + '😀'.repeat(8))).toEqual(['needs at least 12 characters']);
    expect(listPasswordFaults('Aa1' + '😀'.repeat(9))).toEqual([]);
    expect(listPasswordFaults('Ωδός-και-нет-٣')).toEqual([]);
  });

  it('accepts any additional characters up to the limit', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (more) => {
        expect(listPasswordFaults(good + more)).toEqual([]);
      }),
    );
  });
});

describe('an email address', () => {
  it('consists of atoms, an at sign and a domain of at least two labels', () => {
    const valid = [
      'a@b.co',
      'first.last+tag@sub.example.org',
      "o'neil@xn--bcher-kva.example",
      'UPPER@EXAMPLE.ORG',
    ];
    expect(valid.filter((email) => !isEmail(email))).toEqual([]);
  });

  it('cannot contain anything that a mail server or a header could misread', () => {
    const malformed = [
      '',
      'a',
      'a@',
      '@b.co',
      'a@b',
      'a@b.c',
      'a b@c.de',
      'a@b.co,c@d.ef',
      '<a@b.co>',
      'a@b..co',
      '.a@b.co',
      'a.@b.co',
    ];
    const hostile = [
      'a@b.co\n',
      'a\u0000@b.co',
      'a@b.co\r\nBcc: x@y.zz',
      '"a b"@c.de',
      'a@[127.0.0.1]',
      'a@-b.co',
      'ä@b.co',
    ];
    const long = [`${'a'.repeat(65)}@b.co`, `a@${'b'.repeat(64)}.co`, `a@${'b.'.repeat(130)}co`];
    expect([...malformed, ...hostile, ...long].filter(isEmail)).toEqual([]);
  });

  it('is checked in linear time, even for hostile input', async () => {
    const hostile = ['a@' + 'a'.repeat(200_000), 'a@' + 'a.'.repeat(100_000), 'a.'.repeat(100_000)];
    const processor_ms = await measureProcessorTime(() => expect(hostile.some(isEmail)).toBe(false));
    expect(processor_ms).toBeLessThan(1_000);
  });

  it('has one canonical spelling', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(toCanonicalEmail(email.toUpperCase())).toBe(toCanonicalEmail(email));
      }),
    );
  });
});

describe('a presented refresh token', () => {
  const fresh = { used_at: null, expires_at: addSeconds(1), revoked_at: null, suspended_at: null };

  it('is rotated when it is unused and valid and its user is active', () => {
    expect(judgeRefreshToken(fresh, now)).toBe('rotate');
  });

  it('is refused when it is unknown, expired or revoked, or its user is suspended', () => {
    expect(judgeRefreshToken(undefined, now)).toBe('invalid');
    expect(judgeRefreshToken({ ...fresh, expires_at: now }, now)).toBe('invalid');
    expect(judgeRefreshToken({ ...fresh, revoked_at: addSeconds(-1) }, now)).toBe('invalid');
    expect(judgeRefreshToken({ ...fresh, suspended_at: addSeconds(-1) }, now)).toBe('suspended');
  });

  it('counts as reused if it was used before, even if it is also expired or revoked', () => {
    const optionalDate = fc.option(fc.date({ noInvalidDate: true }));
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true }),
        optionalDate,
        optionalDate,
        (expires_at, revoked_at, suspended_at) => {
          expect(
            judgeRefreshToken({ used_at: addSeconds(-1), expires_at, revoked_at, suspended_at }, now),
          ).toBe('reused');
        },
      ),
    );
  });
});

describe('the wait for another email', () => {
  it('is zero for the first five emails within an hour', () => {
    const times = [-10, -20, -30, -40].map(addSeconds);
    expect(computeMailWaitSeconds(times, now)).toBe(0);
    expect(computeMailWaitSeconds([...times, addSeconds(-3_600)], now)).toBe(0);
    expect(computeMailWaitSeconds([...times, addSeconds(-3_599)], now)).toBe(1);
  });

  it('ends after exactly the returned number of seconds', () => {
    const ago = fc.integer({ min: 0, max: 7_200 });
    fc.assert(
      fc.property(fc.array(ago, { maxLength: 20 }), (seconds) => {
        const times = seconds.map((second) => addSeconds(-second));
        const wait_s = computeMailWaitSeconds(times, now);
        expect(computeMailWaitSeconds(times, addSeconds(wait_s))).toBe(0);
        expect(computeMailWaitSeconds(times, addSeconds(Math.max(0, wait_s - 1)))).toBe(wait_s > 0 ? 1 : 0);
      }),
    );
  });
});
