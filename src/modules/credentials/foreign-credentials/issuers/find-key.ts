import { buildDidDocument, buildIssuer } from '#modules/credentials/credentials';
import { isLocalAddress } from '#platform/outbound/public-address.ts';
import type { Services } from '#platform/platform.ts';
import { UncheckedError } from '../faults.ts';
import { isFields, parseFields, toList, toText, type Fields } from '../reading/json.ts';
import { locateIssuer, type IssuerPlace } from './issuer-name.ts';
import { readPublicKey, type PublicKey } from './public-key.ts';
import type { ReadDocument } from './read-document.ts';

/** What an issuer is proven to be: the owner of a domain, this service, or nothing but the owner of a key. */
export type IssuerProof =
  | { readonly kind: 'domain'; readonly domain: string }
  | { readonly kind: 'this_service' }
  | { readonly kind: 'key' };

/** The key with which an issuer signs, and what finding it there proves about the issuer. */
export type FoundKey = { readonly key: PublicKey; readonly proof: IssuerProof };

/**
 * Finds the key that a signature names among those of its issuer: in the DID document of a did:web, in the metadata of an issuer with a URL, or in a did:key itself.
 *
 * @throws UncheckedError
 */
export async function findIssuerKey(
  services: Services,
  readDocument: ReadDocument,
  issuer_id: string,
  key_id: string | undefined,
): Promise<FoundKey> {
  const own = buildIssuer(services.config.publicUrl);
  if (issuer_id === own.did) {
    return {
      key: selectMethod(await buildDidDocument(services), issuer_id, key_id),
      proof: { kind: 'this_service' },
    };
  }
  const place = locateIssuer(issuer_id, selectScheme(services, issuer_id));
  if (!place) throw new UncheckedError('issuer_unsupported');
  if (place.kind === 'did_key')
    return { key: readDidKey(issuer_id, place.key, key_id), proof: { kind: 'key' } };
  const key =
    place.kind === 'did_web'
      ? selectMethod(await readJson(readDocument, place.url), issuer_id, key_id)
      : await readMetadataKey(readDocument, place, issuer_id, key_id);
  return { key, proof: { kind: 'domain', domain: place.domain } };
}

/** A did:web is served by https. In development, one of this machine may be served by http. */
function selectScheme({ config }: Services, issuer_id: string): 'https' | 'http' {
  const host = /^did:web:([\w.-]+)/.exec(issuer_id)?.[1] ?? '';
  const isLocal = host === 'localhost' || isLocalAddress(host);
  return config.outboundPrivate && isLocal ? 'http' : 'https';
}

async function readJson(readDocument: ReadDocument, url: string): Promise<Fields> {
  const accept = 'application/did+json, application/json;q=0.9, */*;q=0.1';
  const document = parseFields(await readDocument(url, { whose: 'issuer', accept }));
  if (!document) throw new UncheckedError('issuer_document_invalid');
  return document;
}

/** The key of a did:key is its name, and the name of the key is that of the issuer with the key once more. */
function readDidKey(issuer_id: string, multibase: string, key_id: string | undefined): PublicKey {
  if (key_id !== undefined && ![`#${multibase}`, issuer_id, `${issuer_id}#${multibase}`].includes(key_id))
    throw new UncheckedError('key_not_listed');
  const key = readPublicKey({ publicKeyMultibase: multibase });
  if (!key) throw new UncheckedError('algorithm_unsupported');
  return key;
}

/** The verification method that a signature names, if the issuer lists it among those with which it makes statements (DID Core, section 5.3.2). */
function selectMethod(document: Fields, issuer_id: string, key_id: string | undefined): PublicKey {
  if (document['id'] !== issuer_id) throw new UncheckedError('issuer_document_invalid');
  const toId = (id: unknown) => {
    const text = toText(id) ?? '';
    return text.startsWith('#') ? issuer_id + text : text;
  };
  const listed = toList(document['assertionMethod']);
  const ids = new Set(listed.map((each) => toId(isFields(each) ? each['id'] : each)));
  const methods = [...toList(document['verificationMethod']), ...listed]
    .filter(isFields)
    .filter((method) => ids.has(toId(method['id'])) && toText(method['controller']) === issuer_id);
  const wanted =
    key_id === undefined || key_id.includes('#') || key_id.startsWith('did:')
      ? toId(key_id)
      : `${issuer_id}#${key_id}`;
  const found =
    key_id === undefined && methods.length === 1
      ? methods[0]
      : methods.find((method) => toId(method['id']) === wanted);
  return requireKey(found);
}

function requireKey(found: Fields | undefined): PublicKey {
  if (!found) throw new UncheckedError('key_not_listed');
  const key = readPublicKey(found);
  if (!key) throw new UncheckedError('algorithm_unsupported');
  return key;
}

/** The key of an issuer with a URL, from its metadata or from the key set that they name. */
async function readMetadataKey(
  readDocument: ReadDocument,
  { url }: Extract<IssuerPlace, { url: string }>,
  issuer_id: string,
  key_id: string | undefined,
): Promise<PublicKey> {
  const metadata = await readJson(readDocument, url);
  if (metadata['issuer'] !== issuer_id) throw new UncheckedError('issuer_document_invalid');
  const { jwks, jwks_uri } = metadata;
  const set = typeof jwks_uri === 'string' ? await readJson(readDocument, jwks_uri) : jwks;
  const keys = isFields(set) ? toList(set['keys']).filter(isFields) : [];
  const found =
    key_id === undefined && keys.length === 1
      ? keys[0]
      : keys.find(({ kid }) => kid !== undefined && kid === key_id);
  return requireKey(found);
}
