import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  toCanonicalEmail,
  isEmail,
  computeMailWaitSeconds,
  listPasswordFaults,
  judgeRefreshToken,
} from './rules.ts';
import { proves } from '#test/requirements.ts';

const now = new Date('2026-03-02T09:00:00.000Z');
const at = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('the password rule', () => {
  const good = 'Correct-Horse-7';

  it('accepts twelve characters with all four kinds', () => {
    expect(listPasswordFaults('Abcdefgh123!')).toEqual([]);
    expect(listPasswordFaults(good)).toEqual([]);
  });

  it('names the one part that is missing', () => {
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
    expect(listPasswordFaults(good + 'x'.repeat(256))).toEqual(['has at most 256 characters']);
  });

  it('names all parts that are missing at once', () => {
    expect(listPasswordFaults('')).toHaveLength(5);
  });

  it('counts characters, not UTF-16 units, and knows letters of every script', () => {
    expect(listPasswordFaults('Aa1' + '😀'.repeat(8))).toEqual(['needs at least 12 characters']);
    expect(listPasswordFaults('Aa1' + '😀'.repeat(9))).toEqual([]);
    expect(listPasswordFaults('Ωδός-και-нет-٣')).toEqual([]);
  });

  it('never objects to more, up to the limit', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (more) => {
        expect(listPasswordFaults(good + more)).toEqual([]);
      }),
    );
  });
});

describe('an e-mail address', () => {
  it('is an atom, an at sign and a domain of two labels', () => {
    const fine = [
      'a@b.co',
      'first.last+tag@sub.example.org',
      "o'neil@xn--bcher-kva.example",
      'UPPER@EXAMPLE.ORG',
    ];
    expect(fine.filter((email) => !isEmail(email))).toEqual([]);
  });

  it('is nothing that a mail server or a header could read as something else', () => {
    const wrong = [
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
    expect([...wrong, ...hostile, ...long].filter(isEmail)).toEqual([]);
  });

  it('is decided in linear time, whatever is sent', () => {
    const hostile = ['a@' + 'a'.repeat(200_000), 'a@' + 'a.'.repeat(100_000), 'a.'.repeat(100_000)];
    const started = performance.now();
    expect(hostile.some(isEmail)).toBe(false);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('has one spelling', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (email) => {
        expect(toCanonicalEmail(email.toUpperCase())).toBe(toCanonicalEmail(email));
      }),
    );
  });
});

describe('a presented refresh token', () => {
  const fresh = { used_at: null, expires_at: at(1), revoked_at: null, suspended_at: null };

  it('rotates when it is unused, alive and its user in good standing', () => {
    expect(judgeRefreshToken(fresh, now)).toBe('rotate');
  });

  it('is refused when unknown, expired or revoked', () => {
    expect(judgeRefreshToken(undefined, now)).toBe('invalid');
    expect(judgeRefreshToken({ ...fresh, expires_at: now }, now)).toBe('invalid');
    expect(judgeRefreshToken({ ...fresh, revoked_at: at(-1) }, now)).toBe('invalid');
    expect(judgeRefreshToken({ ...fresh, suspended_at: at(-1) }, now)).toBe('suspended');
  });

  it('counts as reused whenever it was used before, whatever else is wrong', () => {
    const time = fc.option(fc.date({ noInvalidDate: true }));
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), time, time, (expires_at, revoked_at, suspended_at) => {
        expect(judgeRefreshToken({ used_at: at(-1), expires_at, revoked_at, suspended_at }, now)).toBe(
          'reused',
        );
      }),
    );
  });
});

describe('the wait for another mail', () => {
  it('lets five mails an hour through', () => {
    const times = [-10, -20, -30, -40].map(at);
    expect(computeMailWaitSeconds(times, now)).toBe(0);
    expect(computeMailWaitSeconds([...times, at(-3_600)], now)).toBe(0);
    expect(computeMailWaitSeconds([...times, at(-3_599)], now)).toBe(1);
  });

  it('is over when it says so, and not a second before', () => {
    const ago = fc.integer({ min: 0, max: 7_200 });
    fc.assert(
      fc.property(fc.array(ago, { maxLength: 20 }), (seconds) => {
        const times = seconds.map((second) => at(-second));
        const wait_s = computeMailWaitSeconds(times, now);
        expect(computeMailWaitSeconds(times, at(wait_s))).toBe(0);
        expect(computeMailWaitSeconds(times, at(wait_s - 1))).toBe(wait_s > 0 ? 1 : 0);
      }),
    );
  });
});
