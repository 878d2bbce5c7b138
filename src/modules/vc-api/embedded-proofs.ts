import type { Platform } from '#platform/platform.ts';
import { createDocumentLoader, type Signer } from './keys.ts';
import { VcApiError, type Fields } from './vc-api-error.ts';

/** The packages for linked data, loaded when the first one asks. */
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

/** Signs a credential with an embedded proof of the cryptosuite asked for; ecdsa-rdfc-2019 where none is. @throws VcApiError */
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

/** Signs a presentation with an embedded proof for authentication. @throws VcApiError */
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
  const cryptosuite = await createSigningCryptosuite(options);
  return new DataIntegrityProof({ signer, date: platform.now(), cryptosuite });
}

async function createSigningCryptosuite({
  cryptosuite = 'ecdsa-rdfc-2019',
  mandatoryPointers = [],
}: Fields): Promise<object> {
  const { rdfc, jcs, sd } = await loadPackages();
  switch (cryptosuite) {
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

/** Verifies the embedded proof of a credential, for the purpose of asserting. @throws VcApiError */
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

/** Verifies the embedded proof of a presentation, for authentication; what it holds is verified apart, whatever form it has. @throws VcApiError */
export async function verifyPresentationProof(
  platform: Platform,
  presentation: Fields,
  options: Fields,
): Promise<void> {
  const { signatures } = await loadPackages();
  const { suite, documentLoader } = await buildVerifyOptions(platform, options);
  const asked = readChallenge({ ...(presentation['proof'] as Fields | undefined), ...options });
  const purpose = new signatures.purposes.AuthenticationProofPurpose(asked);
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
    // The statuses are looked at apart, for all forms alike.
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
  const { errors = [], message = 'it does not verify' } = (error ?? {}) as {
    readonly errors?: readonly Error[];
    readonly message?: string;
  };
  return [message, ...errors.map((each) => each.message)].join('; ').slice(0, 1_000);
}
