import { Refusal } from '#lib/refusal.ts';
import { findUnstorableText } from '#lib/text/unstorable-text.ts';

/** What a list of users is narrowed to. Each is looked up by an index. */
export type UserFilter = {
  readonly id?: string;
  readonly user_name?: string;
  readonly external_id?: string;
  readonly active?: boolean;
};

/** What a list of groups is narrowed to. */
export type GroupFilter = {
  readonly id?: string;
  readonly display_name?: string;
  readonly external_id?: string;
};

const characters_max = 1_000;
const terms_max = 8;

/** One comparison, and what follows it (RFC 7644 section 3.4.2.2). Each part begins where the one before it ends, so that reading takes one pass. */
const term =
  /(?:urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):)?([A-Za-z][A-Za-z.]{0,60}) +([A-Za-z]{2}) +("(?:[^"\\]|\\.)*"|true|false)(?: +and +|$)/iy;

type Attributes<Name extends string> = Readonly<Record<string, Name>>;
type Filter<Name extends string> = { readonly [Each in Name]?: string | boolean };

/**
 * Reads a filter of users: comparisons by `eq` of `userName`, `externalId`, `active` and `id`, joined by `and`.
 *
 * @throws Refusal `directory_filter_refused` for any other filter, which could be slow or is unknown.
 */
export function readFilter(text: string | undefined): UserFilter {
  return readComparisons(text, userAttributes) as UserFilter;
}

/**
 * Reads a filter of groups: comparisons by `eq` of `displayName`, `externalId` and `id`, joined by `and`.
 *
 * @throws Refusal `directory_filter_refused`.
 */
export function readGroupFilter(text: string | undefined): GroupFilter {
  return readComparisons(text, groupAttributes) as GroupFilter;
}

const none = {};

function readComparisons<Name extends string>(
  text: string | undefined,
  attributes: Attributes<Name>,
): Filter<Name> {
  if (text === undefined) return none;
  const filter = text.trim();
  if (filter.length > characters_max) throw refuseFilter('It is too long.');
  let found = none as Filter<Name>;
  let at = 0;
  for (let terms = 0; at < filter.length; terms++) {
    term.lastIndex = at;
    const [whole, attribute = '', operator = '', value = ''] = term.exec(filter) ?? [];
    if (whole === undefined || terms === terms_max)
      throw refuseFilter('Only comparisons joined by "and" are supported.');
    if (operator.toLowerCase() !== 'eq') throw refuseFilter(`The operator ${operator} is not supported.`);
    found = addTerm(found, attributes[attribute.toLowerCase()], readValue(value), attribute);
    at += whole.length;
  }
  if (at === 0 || / and *$/i.test(filter)) throw refuseFilter('A comparison is missing.');
  return found;
}

/** Adds a comparison. One that repeats an attribute could only be the same or contradict it. */
function addTerm<Name extends string>(
  filter: Filter<Name>,
  name: Name | undefined,
  value: string | boolean,
  attribute: string,
): Filter<Name> {
  if (name === undefined) throw refuseFilter(`${attribute} cannot be filtered by.`);
  const expected = name === 'active' ? 'boolean' : 'string';
  if (typeof value !== expected) throw refuseFilter(`${attribute} is compared with a ${expected}.`);
  if (filter[name] !== undefined && filter[name] !== value)
    throw refuseFilter(`${attribute} is compared twice.`);
  return { ...filter, [name]: value };
}

const userAttributes: Attributes<keyof UserFilter> = {
  id: 'id',
  username: 'user_name',
  externalid: 'external_id',
  active: 'active',
};

const groupAttributes: Attributes<keyof GroupFilter> = {
  id: 'id',
  displayname: 'display_name',
  externalid: 'external_id',
};

function readValue(text: string): string | boolean {
  if (!text.startsWith('"')) return text.toLowerCase() === 'true';
  const value = parseText(text);
  // Nothing can have such a value, and the database could not look for it.
  if (value === undefined || findUnstorableText(value) !== undefined)
    throw refuseFilter(`${text.slice(0, 50)} is not a JSON string of Unicode characters without NUL.`);
  return value;
}

function parseText(text: string): string | undefined {
  try {
    return JSON.parse(text) as string;
  } catch {
    return undefined;
  }
}

function refuseFilter(reason: string): Refusal {
  return new Refusal('directory_filter_refused', {
    detail: `${reason} A filter compares userName, externalId, active or id of users, or displayName, externalId or id of groups, by "eq"; "and" joins comparisons.`,
  });
}
