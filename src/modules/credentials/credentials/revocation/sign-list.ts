import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { signJws } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { addProof } from '../signing/data-integrity.ts';
import {
  buildIssuer,
  buildMethodId,
  buildStatusListUrl,
  buildTokenStatusListUrl,
  type Issuer,
} from '../signing/issuer.ts';
import { formatDateTimeStamp } from '../signing/statement.ts';
import { findList } from './revocation-memory.ts';
import { encodeBitstringList, encodeTokenList } from './status-bits.ts';
import { selectListKey } from './status-lists.ts';

/** How long a cache may use a list, in seconds. Verifiers that rely on a cached list may miss a revocation for this long. */
export const list_ttl_s = 60;
/** A signed list is valid for a week and signed again after a day, so that a verifier can work offline for at least six days. */
const valid_ms = 7 * 86_400_000;
const fresh_ms = 86_400_000;
/** A form has at most 22 kB. */
const signed_lists_max = 300;

type ListToSign = { readonly id: string; readonly bits: Buffer };
type SignList = (
  services: Services,
  key: SigningKey,
  list: ListToSign,
  now: Date,
) => string | Promise<string>;

/** The forms in which a list is published. The one with embedded proofs takes milliseconds, because its JSON is canonicalised. */
const listForms = {
  vc_jwt: signListVc,
  token_jwt: signListToken,
  embedded: signListProofs,
} as const satisfies Readonly<Record<string, SignList>>;

export type ListForm = keyof typeof listForms;

/** A signed list, and what it was made from. */
type SignedList = {
  readonly bits: Buffer;
  readonly kid: string;
  readonly signed_at_ms: number;
  readonly content: Promise<string>;
};

const getSignedLists = instanceMemory(() => new LRUCache<string, SignedList>({ max: signed_lists_max }));

/**
 * The list with an id in one of its signed forms, or undefined. It is signed when it is read, and again if its bits have changed, its
 * signature is a day old, or its key was revoked.
 */
export async function readSignedList(
  services: Services,
  list_id: string,
  form: ListForm,
): Promise<string | undefined> {
  const list = await findList(services, list_id);
  if (!list) return undefined;
  const key = await selectListKey(services, list.kid);
  const cache = getSignedLists(services);
  const name = `${list_id} ${form}`;
  const now = services.now();
  const signed = cache.get(name);
  if (signed && isCurrent(signed, list.bits, key, now)) return signed.content;
  const content = Promise.resolve(listForms[form](services, key, { id: list_id, bits: list.bits }, now));
  cache.set(name, { bits: list.bits, kid: key.kid, signed_at_ms: now.getTime(), content });
  content.catch(() => cache.delete(name));
  return content;
}

function isCurrent(
  { bits, kid, signed_at_ms }: SignedList,
  current: Buffer,
  key: SigningKey,
  now: Date,
): boolean {
  return bits === current && kid === key.kid && now.getTime() - signed_at_ms < fresh_ms;
}

/** The Bitstring Status List credential (W3C Bitstring Status List 1.0 section 3.2) of a list, unsecured. */
function buildListCredential(issuer: Issuer, { id, bits }: ListToSign, now: Date) {
  const url = buildStatusListUrl(issuer, id);
  return {
    '@context': ['https://www.w3.org/ns/credentials/v2'],
    id: url,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer: issuer.did,
    validFrom: formatDateTimeStamp(now),
    validUntil: formatDateTimeStamp(new Date(now.getTime() + valid_ms)),
    credentialSubject: {
      id: `${url}#list`,
      type: 'BitstringStatusList',
      statusPurpose: 'revocation',
      ttl: list_ttl_s * 1000,
      encodedList: encodeBitstringList(bits),
    },
  };
}

function signListVc({ config }: Services, key: SigningKey, list: ListToSign, now: Date): string {
  const issuer = buildIssuer(config.publicUrl);
  const credential = buildListCredential(issuer, list, now);
  const payload = { ...credential, iss: issuer.did, jti: credential.id, ...buildValidityClaims(now) };
  return signJws(key, { kid: buildMethodId(issuer, key.kid), typ: 'vc+jwt', cty: 'vc' }, payload);
}

/** A verifier takes the proof whose suite it knows: those of Open Badges know only Ed25519. */
async function signListProofs(
  services: Services,
  key: SigningKey,
  list: ListToSign,
  now: Date,
): Promise<string> {
  const credential = buildListCredential(buildIssuer(services.config.publicUrl), list, now);
  const signed = await addProof(services, key, credential);
  return JSON.stringify(await addProof(services, key, signed, 'eddsa-rdfc-2022'));
}

/** The Status List Token (Token Status List section 5.1). */
function signListToken({ config }: Services, key: SigningKey, { id, bits }: ListToSign, now: Date): string {
  const issuer = buildIssuer(config.publicUrl);
  const payload = {
    iss: issuer.url,
    sub: buildTokenStatusListUrl(issuer, id),
    ...buildValidityClaims(now),
    ttl: list_ttl_s,
    status_list: { bits: 1, lst: encodeTokenList(bits) },
  };
  return signJws(key, { kid: key.kid, typ: 'statuslist+jwt' }, payload);
}

function buildValidityClaims(now: Date) {
  const iat = Math.floor(now.getTime() / 1000);
  return { iat, exp: iat + valid_ms / 1000 };
}
