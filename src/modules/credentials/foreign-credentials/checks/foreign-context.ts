import { buildAddedContext, buildCredentialContext, buildIssuer } from '#modules/credentials/credentials';

/** The contexts of services like this one, by their paths. */
const builders = new Map([
  ['/contexts/credentials/v1', buildCredentialContext],
  ['/contexts/credentials/v2', buildAddedContext],
]);

/** A context of another service like this one, which is the same but for its address; undefined for any other URL. */
export function buildForeignContext(url: string): object | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return url === origin + pathname ? builders.get(pathname)?.(buildIssuer(origin)) : undefined;
}
