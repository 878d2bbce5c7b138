import { domainToASCII } from 'node:url';

/** Longer text is none of these values, and is left to the schema that refuses it. */
const characters_max = 1_000;

/** The kinds of text from outside that have several spellings. Each is read here and nowhere else. */
const readers = { email: readEmail, domain: readDomain, time: readTime, id: readId } as const;

export type OutsideKind = keyof typeof readers;

/** Reads a value of this kind in its one spelling. Text that is no such value stays as it is, for the schema to refuse. */
export function readOutsideValue(kind: OutsideKind, text: string): string {
  return text.length > characters_max ? text : readers[kind](text);
}

/** An email address as it is stored and compared: without space around it, in lower case, and with an international domain in ASCII (RFC 5890). */
function readEmail(text: string): string {
  const email = text.trim();
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at + 1);
  // Other letters stay and are refused: the Kelvin sign would become the letter k in the address of another user.
  if (at === -1 || !/^[\x21-\x7e]*$/.test(local)) return email;
  return local.toLowerCase() + readDomain(email.slice(at + 1));
}

/** A domain in lower case and in ASCII, without space around it. */
function readDomain(text: string): string {
  const domain = text.trim().toLowerCase();
  if (/^[\x21-\x7e]*$/.test(domain)) return domain;
  // Letters alone are converted. The function would also read `a.example/path` or `１２７.1` as the name of a host.
  return /^[\p{L}\p{M}\p{N}.\u3002\uFF0E\uFF61\p{Join_Control}-]+$/u.test(domain)
    ? domainToASCII(domain) || domain
    : domain;
}

/** A UUID in lower case (RFC 9562, section 4): ids are compared as text. */
function readId(text: string): string {
  return /^[\da-fA-F-]{36}$/.test(text) ? text.toLowerCase() : text;
}

/** A time of RFC 3339 in UTC, as `toISOString` writes it. */
function readTime(text: string): string {
  return parseTime(text)?.toISOString() ?? text;
}

/**
 * Parses a time of RFC 3339 with any offset; undefined for anything else. Databases and the `%z` of many libraries write the offset without its colon or
 * minutes, and a space before the time. A leap second is the second after it, as in POSIX: a `Date` has no other
 * place for it.
 */
export function parseTime(text: string): Date | undefined {
  const parts =
    text.length <= characters_max &&
    /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-]\d\d)(?::?(\d\d))?)$/.exec(text.trim());
  if (!parts) return undefined;
  const [, day = '', minute = '', second = '', fraction = '', hours = '+00', minutes = '00'] = parts;
  const isLeap = second === '60';
  const shown = new Date(`${day}T${minute}:${isLeap ? '59' : second}${fraction}${hours}:${minutes}`);
  if (Number.isNaN(shown.getTime())) return undefined;
  const time = isLeap ? new Date(Math.floor(shown.getTime() / 1000) * 1000 + 1000) : shown;
  // Leap seconds end a day of UTC.
  if (isLeap && !time.toISOString().endsWith('T00:00:00.000Z')) return undefined;
  // `Date` moves 31 April to 1 May.
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day ? time : undefined;
}
