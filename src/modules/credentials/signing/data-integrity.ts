import { signature } from '#platform/security/jws.ts';
import type { Platform } from '#platform/platform.ts';
import { didDocument, multikeyOf } from '../documents/did-document.ts';
import { issuerOf } from './issuer.ts';
import { credentialContext } from '../documents/vocabulary.ts';

/**
 * Secures a credential with an embedded proof (Data Integrity, ecdsa-rdfc-2019). The packages for linked data are loaded when the first
 * one asks: they are as large as the rest of the service.
 */
export async function withProof(platform: Platform, credential: object): Promise<object> {
  const [{ DataIntegrityProof }, { cryptosuite }, { issue }] = await Promise.all([
    import('@digitalbazaar/data-integrity'),
    import('@digitalbazaar/ecdsa-rdfc-2019-cryptosuite'),
    import('@digitalbazaar/vc'),
  ]);
  const now = platform.clock.now();
  const key = platform.keys.active('ES256');
  const signer = {
    id: multikeyOf(issuerOf(platform.config.publicUrl), key.kid),
    algorithm: 'P-256',
    sign: async ({ data }: { data: Uint8Array }) => signature(key, data),
  };
  const suite = new DataIntegrityProof({ signer, date: now, cryptosuite });
  return issue({ credential, suite, now, documentLoader: ownDocuments(platform) });
}

/**
 * Loads what linked data names: the W3C's contexts from their packages, our own context and our DID document from here, and nothing from
 * the network, so that nobody can make us fetch an address or swap the meaning of a term.
 */
export function ownDocuments(platform: Platform) {
  const issuer = issuerOf(platform.config.publicUrl);
  const found = (documentUrl: string, document: object) => ({ contextUrl: null, documentUrl, document });
  return async (url: string) => {
    if (url === issuer.context) return found(url, credentialContext(issuer));
    if (url.split('#', 1)[0] === issuer.did) return found(url, await ownDidDocument(platform, url));
    const { defaultDocumentLoader } = await import('@digitalbazaar/vc');
    return defaultDocumentLoader(url);
  };
}

/** The DID document, or one verification method of it. */
async function ownDidDocument(platform: Platform, url: string): Promise<object> {
  const whole = await didDocument(platform);
  if (!url.includes('#')) return whole;
  const method = whole.verificationMethod.find(({ id }) => id === url);
  if (!method) throw new Error(`${url} is no verification method of ours`);
  return { '@context': 'https://w3id.org/security/multikey/v1', ...method };
}
