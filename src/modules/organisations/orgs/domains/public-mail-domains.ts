import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { computeOnce } from '#lib/cache-results.ts';

/** Whether a domain is that of a public email service, where anybody can get an address. */
export async function isPublicMailDomain(domain: string): Promise<boolean> {
  return (await loadPublicMailDomains()).has(domain);
}

const loadPublicMailDomains = computeOnce(async (): Promise<ReadonlySet<string>> => {
  const require = createRequire(import.meta.url);
  const file = require.resolve('email-providers/all.json');
  // The package is pinned, and its file is an array of strings; `JSON.parse` is typed as any.
  return new Set(JSON.parse(await readFile(file, 'utf8')) as readonly string[]);
});
