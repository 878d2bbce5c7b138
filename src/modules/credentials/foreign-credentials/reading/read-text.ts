import { isFields, parseFields, toList, toText, type Fields } from './json.ts';
import { readJws, type Jws } from './jws.ts';
import { applyDisclosures, splitSdJwt } from './sd-jwt.ts';

/** The longest text that is looked at, in characters. A credential with a small picture in it fits. */
export const credential_characters_max = 65_536;

/** A credential that was read from a text. Nothing in it is verified yet. */
export type ReadCredential =
  | {
      readonly form: 'vc_jwt' | 'sd_jwt_vc';
      readonly token: string;
      readonly jws: Jws;
      readonly content: Fields;
    }
  | { readonly form: 'data_integrity'; readonly content: Fields };

/** Why a text cannot be looked at as a credential. */
export type Unreadable = 'no_credential' | 'damaged' | 'presentation' | 'link';

/** Reads a credential in any form that is spoken here: a JWT, an SD-JWT, JSON with an embedded proof, or JSON around a JWT. */
export function readCredentialText(
  text: string,
  characters_max = credential_characters_max,
): ReadCredential | { readonly unreadable: Unreadable } {
  if (text.length > characters_max) return { unreadable: 'damaged' };
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return readJson(trimmed);
  if (/^https?:\/\//i.test(trimmed)) return { unreadable: 'link' };
  return trimmed.includes('~') ? readSdJwt(trimmed) : readToken(trimmed);
}

function readJson(text: string): ReturnType<typeof readCredentialText> {
  const content = parseFields(text);
  if (!content) return { unreadable: 'damaged' };
  const types = new Set(toList(content['type']));
  if (types.has('EnvelopedVerifiableCredential')) return readEnvelope(content);
  if (types.has('VerifiablePresentation') || 'verifiableCredential' in content)
    return { unreadable: 'presentation' };
  return 'proof' in content ? { form: 'data_integrity', content } : { unreadable: 'no_credential' };
}

/** The `data:` URLs of tokens (VC Data Model 2.0, section 4.13). */
const envelope = /^data:application\/(?:vc\+jwt|(?:dc|vc)\+sd-jwt),/;

function readEnvelope({ id }: Fields): ReturnType<typeof readCredentialText> {
  const address = toText(id) ?? '';
  if (!envelope.test(address)) return { unreadable: 'no_credential' };
  const token = address.replace(envelope, '');
  return token.includes('~') ? readSdJwt(token) : readToken(token);
}

function readToken(token: string): ReturnType<typeof readCredentialText> {
  const jws = readJws(token);
  if (!jws) return { unreadable: isLikeToken(token) ? 'damaged' : 'no_credential' };
  const { vc, vp } = jws.payload;
  if (vp !== undefined) return { unreadable: 'presentation' };
  // Version 1.1 of the data model has the credential in a claim.
  return { form: 'vc_jwt', token, jws, content: isFields(vc) ? { ...jws.payload, ...vc } : jws.payload };
}

function readSdJwt(token: string): ReturnType<typeof readCredentialText> {
  const parts = splitSdJwt(token);
  const jws = parts && readJws(parts.jws);
  const content = jws && applyDisclosures(jws.payload, parts.disclosures);
  if (!jws || !content) return { unreadable: isLikeToken(token) ? 'damaged' : 'no_credential' };
  return { form: 'sd_jwt_vc', token, jws, content };
}

/** Every JSON object that begins with a name begins like this in base64url. */
const isLikeToken = (text: string) => text.startsWith('eyJ');
