import { createHash } from 'node:crypto';
import { createOwnDocumentLoader } from '#modules/credentials/credentials';
import { decodeBase58 } from '#platform/security/multikey.ts';
import type { Services } from '#platform/platform.ts';
import { UncheckedError } from '../faults.ts';
import { isSignatureOf, type Algorithm, type PublicKey } from '../issuers/public-key.ts';
import { isFields, toList, toText, type Fields } from '../reading/json.ts';
import { buildForeignContext } from './foreign-context.ts';

/** How each suite signs with each kind of key (Data Integrity ECDSA Cryptosuites 1.0 and Data Integrity EdDSA Cryptosuites 1.0, section 3.2 of both). */
const suites = {
  'ecdsa-rdfc-2019': {
    'P-256': { algorithm: 'ES256', hash: 'sha256' },
    'P-384': { algorithm: 'ES384', hash: 'sha384' },
  },
  'eddsa-rdfc-2022': { Ed25519: { algorithm: 'Ed25519', hash: 'sha256' } },
} as const;

type Signing = Readonly<
  Partial<Record<PublicKey['kind'], { readonly algorithm: Algorithm; readonly hash: string }>>
>;

/** An embedded proof of a suite that is spoken here, and the name of its key. */
type EmbeddedProof = { readonly proof: Fields; readonly key_id: string; readonly signing: Signing };

/** A list of revocations has a proof of each suite, so that more verifiers can read it. */
const proofs_max = 4;

/**
 * Reads the proof of a credential: of several, which secure it independently of each other, the first of a suite that is spoken here.
 *
 * @throws UncheckedError if there is none.
 */
export function readEmbeddedProof(content: Fields): EmbeddedProof {
  const proofs = toList(content['proof']);
  const found = proofs.length > proofs_max ? [] : proofs.flatMap(readProof);
  if (!found[0]) throw new UncheckedError('proof_unsupported');
  return found[0];
}

function readProof(proof: unknown): readonly EmbeddedProof[] {
  if (!isFields(proof)) return [];
  const { type, cryptosuite, proofPurpose, verificationMethod: key_id, previousProof } = proof;
  const signing = Object.entries(suites).find(([name]) => name === cryptosuite)?.[1];
  // A proof in a chain secures the one before it as well.
  const isSpoken = type === 'DataIntegrityProof' && previousProof === undefined;
  if (!signing || !isSpoken || proofPurpose !== 'assertionMethod' || typeof key_id !== 'string') return [];
  return [{ proof, key_id, signing }];
}

/**
 * Verifies the embedded proof of a credential (section 3.2.2 of both documents). The meaning of its words comes from contexts that are known
 * here; nothing is fetched.
 *
 * @throws UncheckedError if a context is not known, or the credential would take too long to bring into its canonical form.
 */
export async function isProofOf(
  services: Services,
  { proof: whole, ...credential }: Fields,
  { proof, signing }: EmbeddedProof,
  key: PublicKey,
): Promise<boolean> {
  const { proofValue, ...options } = proof;
  const signature = decodeBase58((toText(proofValue) ?? '').replace(/^z/, ''));
  const way = signing[key.kind];
  if (!whole || !signature || !way) return false;
  const { algorithm, hash } = way;
  const loadDocument = createContextLoader(services);
  await checkWords(credential, loadDocument);
  const described = { ...options, '@context': credential['@context'] };
  const hashes = [];
  for (const document of [described, credential]) {
    const canonical = await computeCanonicalForm(document, loadDocument, hash);
    hashes.push(createHash(hash).update(canonical).digest());
  }
  return isSignatureOf(key, algorithm, Buffer.concat(hashes), signature);
}

type LoadDocument = (url: string) => Promise<{ readonly document: object }>;

/** Loads contexts from their packages, and those of services like this one as these build them. Nothing is fetched. */
function createContextLoader(services: Services): LoadDocument {
  const loadOwn = createOwnDocumentLoader(services) as LoadDocument;
  return async (url) => {
    const document = buildForeignContext(url);
    if (document) return { contextUrl: null, documentUrl: url, document };
    try {
      return await loadOwn(url);
    } catch (error) {
      throw new UncheckedError('context_unknown', error);
    }
  };
}

/** Those of the data model and of Open Badges, and two of a service like this one. */
const contexts_max = 4;
/** More objects, or values in them, than a credential has: what is canonicalised must be small (`npm run bench foreign-credentials`). */
const objects_max = 50;
const values_max = 200;
/** Each type may change what the words beside it mean, which costs most. */
const types_max = 60;
/** The keywords of JSON-LD that credentials use. */
const keywords = new Set(['@id', '@type', '@value', '@language', '@direction']);

/**
 * Checks that a credential is small, that its contexts are known and at its root, and that none of its things has a name that only the canonical form may give: a
 * hostile issuer could otherwise make it take hours (RDF Dataset Canonicalization, section 7.1).
 */
async function checkWords(
  { '@context': context, ...root }: Fields,
  loadDocument: LoadDocument,
): Promise<void> {
  const contexts = toList(context);
  if (contexts.length === 0 || contexts.length > contexts_max) throw new UncheckedError('context_unknown');
  checkSize(root);
  for (const each of contexts) {
    if (typeof each !== 'string') throw new UncheckedError('context_unknown');
    await loadDocument(each);
  }
}

function checkSize(root: Fields): void {
  const waiting: unknown[] = [root];
  let [objects, values, types] = [0, 0, 0];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (isFields(value)) {
      objects++;
      types += toList(value['type']).length + toList(value['@type']).length;
      Object.entries(value).forEach(([name, inner]) => checkName(name, inner));
    }
    if (typeof value === 'object' && value !== null) waiting.push(...(Object.values(value) as unknown[]));
    values++;
    if (objects > objects_max || values > values_max || types > types_max)
      throw new UncheckedError('too_complex');
  }
}

function checkName(name: string, value: unknown): void {
  if (name === '@context') throw new UncheckedError('context_unknown');
  if (name.startsWith('@') && !keywords.has(name)) throw new UncheckedError('proof_unsupported');
  if (/^@?id$/.test(name) && toText(value)?.startsWith('_:')) throw new UncheckedError('too_complex');
}

/** Things without names that look alike cost most. A credential has few of them. */
const deep_iterations_max = 16;

/** Both suites have the same canonical form (RDFC-1.0). */
async function computeCanonicalForm(
  document: object,
  loadDocument: LoadDocument,
  hash: string,
): Promise<string> {
  const { cryptosuite } = await import('@digitalbazaar/ecdsa-rdfc-2019-cryptosuite');
  try {
    return await cryptosuite.canonize(document, {
      documentLoader: loadDocument,
      messageDigestAlgorithm: hash,
      maxDeepIterations: deep_iterations_max,
    });
  } catch (error) {
    if (error instanceof UncheckedError) throw error;
    const isLong = String(error).includes('deep iterations');
    throw new UncheckedError(isLong ? 'too_complex' : 'context_unknown', error);
  }
}
