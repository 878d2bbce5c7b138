import { buildIssuer } from '#modules/credentials/credentials';
import { isRevoked } from '../../../src/modules/credentials/credentials/revocation/revocation-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { checkCredential, checkPresentation, readId, toList } from './data-model.ts';
import { verifyCredentialProof, verifyPresentationProof } from './embedded-proofs.ts';
import { isEnvelope, verifyEnvelope } from './envelopes.ts';
import { checkRelatedResources } from './related-resources.ts';
import { isFields, requireFields, VcApiError, type Fields } from './vc-api-error.ts';

/** Checks that could not be made. They do not fail the verification. */
export type Warnings = string[];

const credentials_max = 20;

/**
 * Verifies a credential in any form: its shape, its proof, its validity period, its status if it is in a list of this service, and the
 * digests of resources that are known here.
 *
 * @throws VcApiError with the reason.
 */
export async function verifyAnyCredential(
  platform: Platform,
  value: unknown,
  options: Fields,
): Promise<Warnings> {
  const secured = requireFields(value, 'verifiableCredential');
  const credential = isEnvelope(secured) ? await verifyEnvelope(platform, secured, options) : secured;
  checkCredential(credential);
  if (credential === secured) {
    if (!('proof' in credential)) throw new VcApiError('the credential has no proof');
    await verifyCredentialProof(platform, credential, options);
  }
  checkPeriod(credential, platform.now());
  const warnings = checkRelatedResources(platform, credential);
  return [...warnings, ...(await checkStatuses(platform, credential))];
}

/** Verifies a presentation in any form, and every credential in it. @throws VcApiError */
export async function verifyAnyPresentation(
  platform: Platform,
  value: unknown,
  options: Fields,
): Promise<Warnings> {
  const secured = requireFields(value, 'verifiablePresentation');
  const presentation = isEnvelope(secured) ? await verifyEnvelope(platform, secured, options) : secured;
  checkPresentation(presentation);
  const credentials = toList(presentation['verifiableCredential']);
  if (credentials.length > credentials_max)
    throw new VcApiError(`a presentation may hold at most ${credentials_max} credentials`);
  if (presentation === secured) {
    if (!('proof' in presentation)) throw new VcApiError('the presentation has no proof');
    await verifyPresentationProof(platform, presentation, options);
  }
  const warnings: Warnings = [];
  for (const credential of credentials)
    warnings.push(...(await verifyAnyCredential(platform, credential, { ...options, challenge: undefined })));
  return warnings;
}

/** The tolerated difference between clocks. */
const skew_ms = 60_000;

function checkPeriod({ validFrom, validUntil }: Fields, now: Date): void {
  if (typeof validFrom === 'string' && Date.parse(validFrom) > now.getTime() + skew_ms)
    throw new VcApiError('the credential is not yet valid');
  if (typeof validUntil === 'string' && Date.parse(validUntil) <= now.getTime())
    throw new VcApiError('the credential has expired');
}

async function checkStatuses(platform: Platform, { credentialStatus }: Fields): Promise<Warnings> {
  const warnings: Warnings = [];
  for (const status of toList(credentialStatus).filter(isFields)) {
    const place = findOwnPlace(platform, status);
    if (!place) warnings.push('a status was not checked, because it is not in a list of this service');
    else if ((await isRevoked(platform, place)) !== false) throw new VcApiError('the credential is revoked');
  }
  return warnings;
}

function findOwnPlace({ config }: Platform, status: Fields) {
  const prefix = `${buildIssuer(config.publicUrl).url}/api/v1/credentials/status-lists/`;
  const { statusListCredential: list, statusListIndex: index } = status;
  if (typeof list !== 'string' || !list.startsWith(prefix)) return undefined;
  return { status_list_id: list.slice(prefix.length), status_index: Number(index) };
}

/** Checks that the issuer or holder controls the signing key. @throws VcApiError */
export function checkSigner(party: unknown, controller: string): void {
  const id = readId(party);
  if (id !== undefined && id !== controller)
    throw new VcApiError(`the issuer or holder must be ${controller}, which controls the signing key`);
}
