import { isFields, toText, type Fields } from '../reading/json.ts';

/** The issuer that a credential names: its id, and the name that it gives itself, which proves nothing. */
export type NamedIssuer = { readonly id: string; readonly name: string | undefined };

const id_characters_max = 500;
const name_characters_max = 200;

/**
 * Reads who a credential says its issuer is. A token has the issuer in `iss`, in its content or in both, which must be the same.
 *
 * @returns undefined if it names none, or two.
 */
export function readIssuerName({ issuer, iss }: Fields): NamedIssuer | undefined {
  const named = isFields(issuer) ? issuer : { id: issuer };
  const ids = [toText(named['id']), toText(iss)].filter((id) => id !== undefined);
  const [id] = ids;
  if (id === undefined || id.length > id_characters_max || new Set(ids).size !== 1) return undefined;
  return { id, name: toText(named['name'])?.slice(0, name_characters_max) };
}

/** Where the keys of an issuer are: on the server of a domain, or in its name itself. */
export type IssuerPlace =
  | { readonly kind: 'did_web' | 'url'; readonly url: string; readonly domain: string }
  | { readonly kind: 'did_key'; readonly key: string };

/**
 * Locates the keys of an issuer from its id: did:web, did:key, or the URL of an issuer with JWT VC Issuer Metadata.
 *
 * @param scheme That of the servers of did:web.
 * @returns undefined for any other id.
 */
export function locateIssuer(id: string, scheme: 'https' | 'http'): IssuerPlace | undefined {
  if (id.startsWith('did:key:')) return { kind: 'did_key', key: id.slice('did:key:'.length) };
  if (id.startsWith('did:web:')) return locateDidWeb(id, scheme);
  return /^https?:\/\//.test(id) ? locateMetadata(id) : undefined;
}

/** The URL of the document of a did:web (did:web Method Specification, section 2.5.2). */
function locateDidWeb(id: string, scheme: string): IssuerPlace | undefined {
  const parts = id.slice('did:web:'.length).split(':');
  // A part has no characters that would change which server is asked.
  if (!parts.every((part) => /^[\w.%-]+$/.test(part) && !part.includes('..'))) return undefined;
  const [host = '', ...path] = parts;
  const address = `${scheme}://${host.replace(/%3A/i, ':')}`;
  const file = path.length === 0 ? '/.well-known/did.json' : `/${path.join('/')}/did.json`;
  if (!URL.canParse(address + file)) return undefined;
  const url = new URL(address + file);
  return { kind: 'did_web', url: url.href, domain: url.host };
}

/** The URL of the metadata of an issuer, which is before the path of its own (SD-JWT VC, section "JWT VC Issuer Metadata"). */
function locateMetadata(id: string): IssuerPlace | undefined {
  if (!URL.canParse(id)) return undefined;
  const { origin, pathname, host, search, hash } = new URL(id);
  if (search !== '' || hash !== '') return undefined;
  const path = pathname.replace(/\/$/, '');
  return { kind: 'url', url: `${origin}/.well-known/jwt-vc-issuer${path}`, domain: host };
}
