import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { computeOnce } from '#lib/cache-results.ts';
import { listPasswordForms } from './password-forms.ts';

const commonest_count = 3_000;

/**
 * Whether a password is one of the 3,000 most common, the name of the service, or a slight variation of one. The password rule requires four
 * kinds of characters, so that users choose variations such as `Password123!`.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const commonest = await loadCommonPasswords();
  return listPasswordForms(password).some((form) => commonest.has(form) || form === 'tessera');
}

/** Whether a password is a slight variation of what anybody knows about its account, such as the email address or the name. */
export function hasOwnWords(password: string, own: readonly string[]): boolean {
  const words = new Set(own.flatMap(listOwnWords));
  return listPasswordForms(password).some((form) => words.has(form.replace(signs, '')));
}

/** What stands between the words of a name, and may be between them in a password. */
const signs = /[^\p{L}\p{N}]+/gu;

/** A shorter word is part of too many good passwords. */
const own_letters_min = 4;
/** The first words of a name are enough, and bound the work. */
const own_words_max = 8;

/** Lists the words of an email address or a name, and each run of neighbouring ones in one, in lower case. */
function listOwnWords(text: string): readonly string[] {
  const words = text.normalize('NFKC').toLowerCase().split(signs).slice(0, own_words_max);
  const runs = words.flatMap((_, start) =>
    words.slice(start).map((__, more) => words.slice(start, start + more + 1).join('')),
  );
  return runs.filter((run) => run.length >= own_letters_min);
}

/**
 * Reads the file of the package instead of importing its module, which would hold all 49,000 passwords in memory: 15 MB instead of 0.25 MB.
 * The file ranks the passwords, the most common first.
 */
const loadCommonPasswords = computeOnce(async (): Promise<ReadonlySet<string>> => {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@zxcvbn-ts/language-common/src/passwords.json');
  // The package is pinned, and its file is an array of strings; `JSON.parse` is typed as any.
  const rankedPasswords = JSON.parse(await readFile(file, 'utf8')) as readonly string[];
  return new Set(rankedPasswords.slice(0, commonest_count));
});
