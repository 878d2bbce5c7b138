import { stringifySetCookie } from 'cookie';
import type { Config } from '#platform/config.ts';

export const themes = ['system', 'light', 'dark'] as const;

/** The conventions by which dates, numbers and money are written. The texts are English, so these are those of English-speaking countries. */
export const locales = [
  'en-AU',
  'en-CA',
  'en-GB',
  'en-IE',
  'en-IN',
  'en-NZ',
  'en-SG',
  'en-US',
  'en-ZA',
] as const;

export type Locale = (typeof locales)[number];

/** What a browser has chosen: the theme, and the conventions; `auto` follows the languages of the browser. */
export type Look = { readonly theme: (typeof themes)[number]; readonly locale: Locale | 'auto' };

export const defaultLook: Look = { theme: 'system', locale: 'auto' };

/** The conventions for a browser that asks for no language of these countries. */
const default_locale: Locale = 'en-GB';

const cookie_name = 'tessera-look';
const year_s = 365 * 86_400;
const languages_max = 20;

/** Reads a look from text, such as a form or a cookie. Unknown values count as the defaults, because a cookie may be of another version. */
export function readLook(theme: string | undefined, locale: string | undefined): Look {
  return {
    theme: themes.find((each) => each === theme) ?? defaultLook.theme,
    locale: locales.find((each) => each === locale) ?? defaultLook.locale,
  };
}

/** Reads the look that a browser has stored. */
export function readLookCookie(cookies: Readonly<Record<string, string | undefined>>): Look {
  const [theme, locale] = (cookies[cookie_name] ?? '').split('.', 2);
  return readLook(theme, locale);
}

/** Formats the cookie in which a browser stores its look. It says nothing about a person, and lives for a year. */
export function formatLookCookie({ publicUrl }: Pick<Config, 'publicUrl'>, { theme, locale }: Look): string {
  return stringifySetCookie({
    name: cookie_name,
    value: `${theme}.${locale}`,
    path: '/',
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'lax',
    maxAge: year_s,
  });
}

/**
 * Selects the conventions for a visitor: those that they chose, or else the first of their browser's languages (RFC 9110, 12.5.4) that is
 * English of one of these countries.
 */
export function selectLocale({ locale }: Look, accept_language: string | undefined): Locale {
  if (locale !== 'auto') return locale;
  const asked = rankLanguages(accept_language ?? '');
  return (
    asked.flatMap((tag) => locales.find((each) => each.toLowerCase() === tag) ?? [])[0] ?? default_locale
  );
}

/** The languages of an Accept-Language header, the most wanted first. */
function rankLanguages(header: string): readonly string[] {
  return header
    .slice(0, 500)
    .split(',', languages_max)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';');
      const weight = Number(parameters.find((each) => each.trim().startsWith('q='))?.split('=', 2)[1] ?? 1);
      return { tag: tag.trim(), weight: Number.isNaN(weight) ? 0 : weight };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
