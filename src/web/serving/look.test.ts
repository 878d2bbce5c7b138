import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultLook,
  formatLookCookie,
  locales,
  readLook,
  readLookCookie,
  selectLocale,
  themes,
} from './look.ts';

const publicUrl = 'https://tessera.example';

describe('a look', () => {
  it('is read from the cookie that stores it', () => {
    const look = fc.record({
      theme: fc.constantFrom(...themes),
      locale: fc.constantFrom('auto', ...locales),
    });
    fc.assert(
      fc.property(look, (chosen) => {
        const [name, value] = formatLookCookie({ publicUrl }, chosen).split(';', 1)[0]!.split('=') as [
          string,
          string,
        ];
        expect(readLookCookie({ [name]: value })).toEqual(chosen);
      }),
    );
  });

  it('of any other text is the default, and never an error', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (theme, locale) => {
        const look = readLook(theme, locale);
        expect(themes).toContain(look.theme);
        expect(['auto', ...locales]).toContain(look.locale);
        const { theme: stored } = readLookCookie({ 'tessera-look': `${theme}.${locale}` });
        expect(themes).toContain(stored);
      }),
    );
    expect(readLookCookie({})).toEqual(defaultLook);
  });
});

describe('the conventions for dates and numbers', () => {
  it.each([
    ['en-AU,en;q=0.9', 'en-AU'],
    ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'en-US'],
    ['en-GB;q=0.5, en-NZ;q=0.9', 'en-NZ'],
    ['EN-ie', 'en-IE'],
    ['en-US;q=0, en-CA;q=0.1', 'en-CA'],
    ['fr-FR', 'en-GB'],
    ['*', 'en-GB'],
    ['en', 'en-GB'],
    [undefined, 'en-GB'],
    ['en-US;q=x', 'en-GB'],
  ])('for the languages %s are %s', (header, locale) => {
    expect(selectLocale(defaultLook, header)).toBe(locale);
  });

  it('are those that the visitor chose, whatever the browser says', () => {
    expect(selectLocale({ theme: 'system', locale: 'en-IN' }, 'en-US')).toBe('en-IN');
  });

  it('exist for every header', () => {
    fc.assert(fc.property(fc.string(), (header) => locales.includes(selectLocale(defaultLook, header))));
  });
});
