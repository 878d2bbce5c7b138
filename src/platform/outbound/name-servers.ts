import { Resolver } from 'node:dns/promises';

/** Returns the texts of the TXT records of a name, none if there are none. @throws NameServerError */
export type FindTextRecords = (name: string) => Promise<readonly string[]>;

/** The name servers did not reply, or replied that they cannot tell. */
export class NameServerError extends Error {}

const timeout_ms = 2_000;

/** Creates a resolver that asks these name servers, or those of the system if the list is empty. */
export function createResolver(nameServers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: timeout_ms, tries: 2 });
  if (nameServers.length > 0) resolver.setServers(nameServers);
  return resolver;
}

/**
 * Creates a function that looks up TXT records of domains that users name. Nothing of a record is shown to them. A look-up takes at most
 * six seconds, whatever the number of name servers, and a reply is at most the 64 KiB of a DNS message.
 */
export function createFindTextRecords(
  nameServers: readonly string[],
  { deadline_ms = 6_000 }: { readonly deadline_ms?: number } = {},
): FindTextRecords {
  return async (name) => {
    const resolver = createResolver(nameServers);
    const timer = setTimeout(() => resolver.cancel(), deadline_ms);
    try {
      // A record is a list of pieces of at most 255 bytes, which belong together (RFC 7208, section 3.3).
      return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''));
    } catch (error) {
      if (isAbsent(error)) return [];
      throw new NameServerError('the name servers do not tell', { cause: error });
    } finally {
      clearTimeout(timer);
    }
  };
}

const absences: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/** Whether the name servers replied that the name, or a TXT record of it, does not exist. */
function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && absences.has(error.code);
}
