import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { computeOnce } from '#lib/cache-results.ts';
import { listPasswordForms } from './password-forms.ts';

const commonest_count = 3_000;

/**
 * Whether a password is one of the 3,000 most common, or a slight variation of one. The password rule requires four kinds of characters, so
 * that users choose variations such as `Password123!`.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const commonest = await loadCommonPasswords();
  return listPasswordForms(password).some((form) => commonest.has(form));
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
