import { disguises, lookAlikes, replaceLookAlikes } from '#lib/text/look-alikes.ts';
import { staffCompanions, staffWords } from '#lib/text/staff-words.ts';

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

/** Names of this service's staff, and of the service. Nobody may be taken for one of them. */
const reservedWords = [...staffWords, 'tessera'] as const;

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

/** Computes what a reader sees in a handle. Two accounts cannot have handles that read the same. */
export function computeHandleSkeleton(handle: string): string {
  return replaceLookAlikes(handle, lookAlikes).replaceAll('_', '-');
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
    reservedWords.some((word) => removeDisguise(word) === removeDisguise(part)),
  );
}

/** Whether a name of the staff begins or ends with a word of the staff, and the rest is such a word or one that goes with it. */
function isComposedOfStaffWords(skeleton: string): boolean {
  const words = reservedWords.map(removeDisguise);
  const rests = new Set([...words, ...staffCompanions.map(removeDisguise)]);
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
  return replaceLookAlikes(replaceLookAlikes(handle, lookAlikes), disguises).replace(/[-_]/g, '');
}
