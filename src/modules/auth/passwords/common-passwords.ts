import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { listPasswordForms } from './password-forms.ts';

const commonest_count = 3_000;

/**
 * Whether a password is one of the 3,000 commonest, or nothing but one of them dressed up for the rule: the rule asks for four kinds of
 * characters, so what people really choose is `Password123!`.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const commonest = await (list ??= loadCommonPasswords());
  return listPasswordForms(password).some((form) => commonest.has(form));
}

let list: Promise<ReadonlySet<string>> | undefined;

/**
 * The package's file is read, and not its module: a module stays in memory with all of its 49,000 passwords, 15 MB, and these 3,000 take a
 * quarter of one. They are ranked, the commonest first.
 */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const require = createRequire(import.meta.url);
  const file = require.resolve('@zxcvbn-ts/language-common/src/passwords.json');
  const ranked = JSON.parse(await readFile(file, 'utf8')) as readonly string[];
  return new Set(ranked.slice(0, commonest_count));
}
