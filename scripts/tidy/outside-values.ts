import { computeLine, fault, isTest, type Source } from './source.ts';

/** Ways to read a time, an address, a domain or an id. Strings keep their contents, because an `@` shows that an address is taken apart. */
const readings =
  /\bDate\s*\.\s*parse\b|\bdomainToASCII\b|\b(?:split|indexOf|lastIndexOf)\(\s*'@'|\b(?:\w+_)?(?:id|email|domain)\s*\.\s*toLowerCase\b/g;

/** The files that read such text themselves, and why. */
const exceptions: Readonly<Record<string, string>> = {
  'src/lib/outside-values.ts': 'it is the one reader',
  'src/modules/organisations/orgs/domains/rules.ts': 'it takes the domain from an address that has been read',
  'src/modules/access/accounts/store-search.ts': 'it compares the beginning of an address, which is none',
  'src/modules/operations/webhooks/rules.ts': 'a date in Retry-After has the form of HTTP',
  'src/web/entrance/sign-in.ts': 'it distinguishes a handle from an address',
};

/** Second readers of values from outside. Two readers of one value disagree about it, and what one accepts fails in the other. */
export function findSecondReaders(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path: file }) => file.startsWith('src/') && !isTest(file) && exceptions[file] === undefined)
    .flatMap(({ path: file, bare }) =>
      [...bare.matchAll(readings)].map((match) =>
        fault(
          file,
          computeLine(bare, match.index),
          'times, addresses, domains and ids are read by lib/outside-values.',
        ),
      ),
    );
}
