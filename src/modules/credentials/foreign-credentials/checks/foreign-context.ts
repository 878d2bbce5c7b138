import { buildIssuer, findContext } from '#modules/credentials/credentials';

/** A context of another service like this one, which is the same but for its address; undefined for any other URL. */
export function buildForeignContext(url: string): object | undefined {
  if (!url.includes('/contexts/credentials/') || !URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return url.startsWith(origin) ? findContext(buildIssuer(origin), url) : undefined;
}
