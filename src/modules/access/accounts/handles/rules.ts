const handleForm = /^[a-z0-9][a-z0-9_-]{1,30}[a-z0-9]$/;

/** Three to 32 small letters, digits, hyphens and underscores; a letter or a digit at both ends. */
export const handlePattern = handleForm.source;

export const handle_characters_max = 32;

/** What the sample requests and the page for choosing a handle say about the form. */
export const handle_reason =
  'must have 3 to 32 small letters, digits, hyphens and underscores, and begin and end with a letter or a digit';

/** Converts what a person has typed to the spelling in which handles are stored: capital letters and an @ in front do not matter. */
export function toCanonicalHandle(typed: string): string {
  return typed.trim().replace(/^@/, '').toLowerCase();
}

/** Whether a text is a canonical handle. It may be taken or reserved. */
export function isHandle(text: string): boolean {
  return handleForm.test(text);
}

/** Names of this service's staff, and of its addresses and functions. Nobody may be taken for one of them. */
const staffWords = [
  'abuse',
  'admin',
  'administrator',
  'billing',
  'help',
  'helpdesk',
  'moderator',
  'official',
  'operator',
  'payments',
  'postmaster',
  'security',
  'staff',
  'support',
  'sysadmin',
  'tessera',
  'webmaster',
] as const;

/** Words that a program or a reader would take for something else than a person. */
const technicalWords = [
  'account',
  'agent',
  'agents',
  'anonymous',
  'api',
  'app',
  'auth',
  'console',
  'docs',
  'everyone',
  'login',
  'logout',
  'mail',
  'mcp',
  'member',
  'nobody',
  'noreply',
  'null',
  'oauth',
  'organisation',
  'organization',
  'register',
  'root',
  'service',
  'signin',
  'system',
  'undefined',
  'unknown',
  'user',
  'you',
] as const;

/** Words that make a longer name of the staff out of one: `admin-team`, `thesupport`. */
const companions = [
  'account',
  'accounts',
  'center',
  'centre',
  'chat',
  'crew',
  'desk',
  'group',
  'info',
  'live',
  'online',
  'our',
  'real',
  'service',
  'services',
  'team',
  'the',
  'user',
  'your',
] as const;

/** Characters that look alike in small letters, and pairs that look like one letter, each with the one that stands for all. */
const lookAlikes: readonly (readonly [written: RegExp, read: string])[] = [
  [/0/g, 'o'],
  [/1/g, 'l'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/_/g, '-'],
];

/** Digits that are written for letters, and an i that is read as an l: what people do who want to pass for another person. */
const disguises: readonly (readonly [written: RegExp, read: string])[] = [
  [/[i!]/g, 'l'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
];

/** Computes what a reader sees in a handle. Two accounts cannot have handles that read the same. */
export function computeHandleSkeleton(handle: string): string {
  return replaceAll(handle, lookAlikes);
}

/**
 * Whether a handle is kept from everybody: it is a technical word, or it is, begins or ends with a name of the staff, even if disguised.
 *
 * @param handle In its canonical spelling.
 */
export function isReservedHandle(handle: string): boolean {
  const skeleton = removeDisguise(handle);
  if (technicalWords.some((word) => removeDisguise(word) === skeleton)) return true;
  if (skeleton.includes(removeDisguise('tessera')) || isComposedOfStaffWords(skeleton)) return true;
  return splitWords(handle).some((part) =>
    staffWords.some((word) => removeDisguise(word) === removeDisguise(part)),
  );
}

/** Whether a name of the staff begins or ends with a word of the staff, and the rest is such a word or one that goes with it. */
function isComposedOfStaffWords(skeleton: string): boolean {
  const words = staffWords.map(removeDisguise);
  const rests = new Set([...words, ...companions.map(removeDisguise)]);
  return words.some(
    (word) =>
      (skeleton.startsWith(word) && rests.has(skeleton.slice(word.length))) ||
      (skeleton.endsWith(word) && rests.has(skeleton.slice(0, -word.length))),
  );
}

/** The words of a handle, and the handle itself without the marks and digits around it. */
function splitWords(handle: string): readonly string[] {
  const words = handle.split(/[-_]+/);
  const trimmed = words.map((word) => word.replace(/^[0-9]+(?=[a-z])|(?<=[a-z])[0-9]+$/g, ''));
  return [handle, handle.replace(/[-_]/g, ''), ...words, ...trimmed];
}

function removeDisguise(handle: string): string {
  return replaceAll(replaceAll(handle, lookAlikes), disguises).replaceAll('-', '');
}

function replaceAll(text: string, pairs: readonly (readonly [RegExp, string])[]): string {
  return pairs.reduce((current, [written, read]) => current.replace(written, read), text);
}
