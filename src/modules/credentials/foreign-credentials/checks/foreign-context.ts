import { buildCredentialContext, buildIssuer } from '#modules/credentials/credentials';

const path = '/contexts/credentials/v1';

/** The context of another service like this one, which is the same but for its address; undefined for any other URL. */
export function buildForeignContext(url: string): object | undefined {
  if (!url.endsWith(path) || !URL.canParse(url)) return undefined;
  const { origin } = new URL(url);
  return url === origin + path ? buildCredentialContext(buildIssuer(origin)) : undefined;
}
