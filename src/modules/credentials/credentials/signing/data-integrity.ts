import type { Services } from '#platform/platform.ts';
import { signBytes } from '#platform/security/jws.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import { buildDidDocument, buildMultikeyId } from './did-document.ts';
import { buildAddedContext, buildCredentialContext } from './vocabulary.ts';
import { buildIssuer } from './issuer.ts';

/**
 * Secures a credential with an embedded proof (Data Integrity, ecdsa-rdfc-2019). The packages for linked data are loaded on first use,
 * because they are as large as the rest of the service.
 */
export async function addProof(services: Services, key: SigningKey, credential: object): Promise<object> {
  const [{ DataIntegrityProof }, { cryptosuite }, { issue }] = await Promise.all([
    import('@digitalbazaar/data-integrity'),
    import('@digitalbazaar/ecdsa-rdfc-2019-cryptosuite'),
    import('@digitalbazaar/vc'),
  ]);
  const now = services.now();
  const signer = {
    id: buildMultikeyId(buildIssuer(services.config.publicUrl), key.kid),
    algorithm: 'P-256',
    sign: async ({ data }: { data: Uint8Array }) => signBytes(key, data),
  };
  const suite = new DataIntegrityProof({ signer, date: now, cryptosuite });
  return issue({ credential, suite, now, documentLoader: createOwnDocumentLoader(services) });
}

/**
 * Creates a loader of linked data documents. It reads the W3C contexts from their packages, builds the service's own context and DID
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
    if (url === issuer.context) return wrapDocument(url, buildCredentialContext(issuer));
    if (url === issuer.added_context) return wrapDocument(url, buildAddedContext(issuer));
    if (url.split('#', 1)[0] === issuer.did) return wrapDocument(url, await dereferenceDidUrl(services, url));
    const { defaultDocumentLoader } = await import('@digitalbazaar/vc');
    return defaultDocumentLoader(url);
  };
}

/** The DID document, or one verification method of it. */
async function dereferenceDidUrl(services: Services, url: string): Promise<object> {
  const whole = await buildDidDocument(services);
  if (!url.includes('#')) return whole;
  const method = whole.verificationMethod.find(({ id }) => id === url);
  if (!method) throw new Error(`${url} is not a verification method of this service`);
  return { '@context': 'https://w3id.org/security/multikey/v1', ...method };
}
