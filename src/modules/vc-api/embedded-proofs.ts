import type { Platform } from '#platform/platform.ts';
import { documentsFor, type Signing } from './keys.ts';
import { VcApiError, type Fields } from './vc-api-error.ts';

/** The packages for linked data, loaded when the first one asks. */
async function packages() {
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
export async function proven(
  platform: Platform,
  credential: Fields,
  signing: Signing,
  options: Fields,
): Promise<object> {
  const { vc } = await packages();
  const suite = await signingSuite(platform, signing, options);
  const documentLoader = documentsFor(platform, options);
  return vc.issue({
    credential: structuredClone(credential),
    suite,
    now: platform.now(),
    documentLoader,
  });
}

/** Signs a presentation with an embedded proof for authentication. @throws VcApiError */
export async function provenPresentation(
  platform: Platform,
  presentation: Fields,
  signing: Signing,
  options: Fields,
): Promise<object> {
  const { vc } = await packages();
  return vc.signPresentation({
    presentation: structuredClone(presentation),
    suite: await signingSuite(platform, signing, options),
    documentLoader: documentsFor(platform, options),
    ...challengeOf(options),
  });
}

async function signingSuite(platform: Platform, signing: Signing, options: Fields): Promise<object> {
  const { DataIntegrityProof } = await packages();
  const signer = {
    id: signing.multikey,
    algorithm: signing.curve,
    sign: async ({ data }: { data: Uint8Array }) => signing.sign(data),
  };
  const cryptosuite = await signingCryptosuite(options);
  return new DataIntegrityProof({ signer, date: platform.now(), cryptosuite });
}

async function signingCryptosuite({
  cryptosuite = 'ecdsa-rdfc-2019',
  mandatoryPointers = [],
}: Fields): Promise<object> {
  const { rdfc, jcs, sd } = await packages();
  switch (cryptosuite) {
    case 'ecdsa-rdfc-2019':
      return rdfc.cryptosuite;
    case 'ecdsa-jcs-2019':
      return jcs.createSignCryptosuite();
    case 'ecdsa-sd-2023':
      return sd.createSignCryptosuite({ mandatoryPointers: pointers(mandatoryPointers) });
    default:
      throw new VcApiError('options.cryptosuite must be ecdsa-rdfc-2019, ecdsa-jcs-2019 or ecdsa-sd-2023');
  }
}

/** Discloses a part of a credential with an ecdsa-sd-2023 base proof. @throws VcApiError */
export async function derived(
  platform: Platform,
  verifiableCredential: Fields,
  options: Fields,
): Promise<object> {
  const { DataIntegrityProof, sd, vc } = await packages();
  const selectivePointers = pointers(options['selectivePointers'] ?? []);
  const cryptosuite = sd.createDiscloseCryptosuite({ selectivePointers });
  const suite = new DataIntegrityProof({ cryptosuite });
  const documentLoader = documentsFor(platform, options);
  return vc.derive({ verifiableCredential: structuredClone(verifiableCredential), suite, documentLoader });
}

const pointers_max = 100;

function pointers(value: unknown): readonly string[] {
  if (
    !Array.isArray(value) ||
    value.length > pointers_max ||
    !value.every((each) => typeof each === 'string')
  )
    throw new VcApiError(`pointers must be a list of at most ${pointers_max} JSON pointers`);
  return value;
}

/** Verifies the embedded proof of a credential, for the purpose of asserting. @throws VcApiError */
export async function verifyProven(platform: Platform, credential: Fields, options: Fields): Promise<void> {
  const { vc } = await packages();
  const outcome = await vc.verifyCredential({
    credential: structuredClone(credential),
    ...(await verifying(platform, options)),
  });
  if (!outcome.verified) throw new VcApiError(reasonIn(outcome));
}

/** Verifies the embedded proof of a presentation, for authentication; what it holds is verified apart, whatever form it has. @throws VcApiError */
export async function verifyProvenPresentation(
  platform: Platform,
  presentation: Fields,
  options: Fields,
): Promise<void> {
  const { signatures } = await packages();
  const { suite, documentLoader } = await verifying(platform, options);
  const asked = challengeOf({ ...(presentation['proof'] as Fields | undefined), ...options });
  const purpose = new signatures.purposes.AuthenticationProofPurpose(asked);
  const outcome = await signatures.verify(structuredClone(presentation), { suite, purpose, documentLoader });
  if (!outcome.verified) throw new VcApiError(reasonIn(outcome));
}

async function verifying(platform: Platform, options: Fields) {
  const { DataIntegrityProof, rdfc, jcs, sd, eddsa } = await packages();
  const suites = [
    rdfc.cryptosuite,
    jcs.createVerifyCryptosuite(),
    sd.createVerifyCryptosuite(),
    eddsa.cryptosuite,
  ];
  return {
    suite: suites.map((cryptosuite) => new DataIntegrityProof({ cryptosuite })),
    documentLoader: documentsFor(platform, options),
    now: platform.now(),
    // The statuses are looked at apart, for all forms alike.
    checkStatus: async () => ({ verified: true }),
  };
}

function challengeOf({ challenge, domain }: Fields): { challenge: string; domain?: string } {
  return {
    challenge: typeof challenge === 'string' ? challenge : '',
    ...(typeof domain === 'string' && { domain }),
  };
}

function reasonIn({ error }: { readonly error?: unknown }): string {
  const { errors = [], message = 'it does not verify' } = (error ?? {}) as {
    readonly errors?: readonly Error[];
    readonly message?: string;
  };
  return [message, ...errors.map((each) => each.message)].join('; ').slice(0, 1_000);
}
