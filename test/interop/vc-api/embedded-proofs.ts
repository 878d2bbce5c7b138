import type { Platform } from '#platform/platform.ts';
import { createDocumentLoader, type Curve, type Signer } from './keys.ts';
import { isFields, VcApiError, type Fields } from './vc-api-error.ts';

/** Loads the packages for linked data on first use. */
async function loadPackages() {
  const [integrity, rdfc, jcs, sd, eddsa, vc, signatures] = await Promise.all([
    import('@digitalbazaar/data-integrity'),
    import('@digitalbazaar/ecdsa-rdfc-2019-cryptosuite'),
    import('@digitalbazaar/ecdsa-jcs-2019-cryptosuite'),
    import('@digitalbazaar/ecdsa-sd-2023-cryptosuite'),
    import('@digitalbazaar/eddsa-rdfc-2022-cryptosuite'),
    import('@digitalbazaar/vc'),
    import('jsonld-signatures'),
  ]);
  return {
    DataIntegrityProof: integrity.DataIntegrityProof,
    rdfc,
    jcs,
    sd,
    eddsa,
    vc,
    signatures: signatures.default,
  };
}

/** Adds an embedded proof with the requested cryptosuite to a credential, ecdsa-rdfc-2019 by default. @throws VcApiError */
export async function addCredentialProof(
  platform: Platform,
  credential: Fields,
  signing: Signer,
  options: Fields,
): Promise<object> {
  const { vc } = await loadPackages();
  const suite = await createSigningSuite(platform, signing, options);
  const documentLoader = createDocumentLoader(platform, options);
  return vc.issue({
    credential: structuredClone(credential),
    suite,
    now: platform.now(),
    documentLoader,
  });
}

/** Adds an embedded proof for authentication to a presentation. @throws VcApiError */
export async function addPresentationProof(
  platform: Platform,
  presentation: Fields,
  signing: Signer,
  options: Fields,
): Promise<object> {
  const { vc } = await loadPackages();
  return vc.signPresentation({
    presentation: structuredClone(presentation),
    suite: await createSigningSuite(platform, signing, options),
    documentLoader: createDocumentLoader(platform, options),
    ...readChallenge(options),
  });
}

async function createSigningSuite(platform: Platform, signing: Signer, options: Fields): Promise<object> {
  const { DataIntegrityProof } = await loadPackages();
  const signer = {
    id: signing.multikey,
    algorithm: signing.curve,
    sign: async ({ data }: { data: Uint8Array }) => signing.sign(data),
  };
  const cryptosuite = await createSigningCryptosuite(options, signing.curve);
  return new DataIntegrityProof({ signer, date: platform.now(), cryptosuite });
}

const defaultCryptosuites: Readonly<Record<Curve, string | undefined>> = {
  'P-256': 'ecdsa-rdfc-2019',
  'P-384': 'ecdsa-rdfc-2019',
  'P-521': undefined,
  Ed25519: 'eddsa-rdfc-2022',
};

/** The requested cryptosuite, if it is one for the curve of the key. */
async function createSigningCryptosuite(
  { cryptosuite: requested, mandatoryPointers = [] }: Fields,
  curve: Curve,
): Promise<object> {
  const cryptosuite = requested ?? defaultCryptosuites[curve];
  const { rdfc, jcs, sd, eddsa } = await loadPackages();
  if (curve === 'P-521')
    throw new VcApiError('options.key must be a P-256, P-384 or Ed25519 key for an embedded proof');
  if ((curve === 'Ed25519') !== (cryptosuite === 'eddsa-rdfc-2022'))
    throw new VcApiError('options.cryptosuite must be eddsa-rdfc-2022 for an Ed25519 key, and for no other');
  switch (cryptosuite) {
    case 'eddsa-rdfc-2022':
      return eddsa.cryptosuite;
    case 'ecdsa-rdfc-2019':
      return rdfc.cryptosuite;
    case 'ecdsa-jcs-2019':
      return jcs.createSignCryptosuite();
    case 'ecdsa-sd-2023':
      return sd.createSignCryptosuite({ mandatoryPointers: readPointers(mandatoryPointers) });
    default:
      throw new VcApiError('options.cryptosuite must be ecdsa-rdfc-2019, ecdsa-jcs-2019 or ecdsa-sd-2023');
  }
}

/** Discloses a part of a credential with an ecdsa-sd-2023 base proof. @throws VcApiError */
export async function deriveCredential(
  platform: Platform,
  verifiableCredential: Fields,
  options: Fields,
): Promise<object> {
  const { DataIntegrityProof, sd, vc } = await loadPackages();
  const selectivePointers = readPointers(options['selectivePointers'] ?? []);
  const cryptosuite = sd.createDiscloseCryptosuite({ selectivePointers });
  const suite = new DataIntegrityProof({ cryptosuite });
  const documentLoader = createDocumentLoader(platform, options);
  return vc.derive({ verifiableCredential: structuredClone(verifiableCredential), suite, documentLoader });
}

const pointers_max = 100;

function readPointers(value: unknown): readonly string[] {
  if (
    !Array.isArray(value) ||
    value.length > pointers_max ||
    !value.every((each) => typeof each === 'string')
  )
    throw new VcApiError(`pointers must be a list of at most ${pointers_max} JSON pointers`);
  return value;
}

/** Verifies the embedded proof of a credential for the purpose `assertionMethod`. @throws VcApiError */
export async function verifyCredentialProof(
  platform: Platform,
  credential: Fields,
  options: Fields,
): Promise<void> {
  const { vc } = await loadPackages();
  const outcome = await vc.verifyCredential({
    credential: structuredClone(credential),
    ...(await buildVerifyOptions(platform, options)),
  });
  if (!outcome.verified) throw new VcApiError(formatReason(outcome));
}

/** Verifies the embedded proof of a presentation for authentication, but not the credentials in it. @throws VcApiError */
export async function verifyPresentationProof(
  platform: Platform,
  presentation: Fields,
  options: Fields,
): Promise<void> {
  const { signatures } = await loadPackages();
  const { suite, documentLoader } = await buildVerifyOptions(platform, options);
  const proof = isFields(presentation['proof']) ? presentation['proof'] : {};
  const purpose = new signatures.purposes.AuthenticationProofPurpose(readChallenge({ ...proof, ...options }));
  const outcome = await signatures.verify(structuredClone(presentation), { suite, purpose, documentLoader });
  if (!outcome.verified) throw new VcApiError(formatReason(outcome));
}

async function buildVerifyOptions(platform: Platform, options: Fields) {
  const { DataIntegrityProof, rdfc, jcs, sd, eddsa } = await loadPackages();
  const suites = [
    rdfc.cryptosuite,
    jcs.createVerifyCryptosuite(),
    sd.createVerifyCryptosuite(),
    eddsa.cryptosuite,
  ];
  return {
    suite: suites.map((cryptosuite) => new DataIntegrityProof({ cryptosuite })),
    documentLoader: createDocumentLoader(platform, options),
    now: platform.now(),
    // The status is checked elsewhere, for all forms of a credential.
    checkStatus: async () => ({ verified: true }),
  };
}

function readChallenge({ challenge, domain }: Fields): { challenge: string; domain?: string } {
  return {
    challenge: typeof challenge === 'string' ? challenge : '',
    ...(typeof domain === 'string' && { domain }),
  };
}

function formatReason({ error }: { readonly error?: unknown }): string {
  // The libraries throw errors that list their causes; the types do not say so.
  const { errors = [], message = 'the proof does not verify' } = (error ?? {}) as {
    readonly errors?: readonly Error[];
    readonly message?: string;
  };
  return [message, ...errors.map((each) => each.message)].join('; ').slice(0, 1_000);
}
