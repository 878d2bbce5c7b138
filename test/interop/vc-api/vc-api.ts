import { Refusal } from '#lib/refusal.ts';
import { buildIssuer } from '#modules/credentials/credentials';
import { takePlaces } from '../../../src/modules/credentials/credentials/revocation/status-lists.ts';
import { buildBitstringEntry } from '../../../src/modules/credentials/credentials/signing/statement.ts';
import { row, type OriginHandler, type OriginRow } from '#platform/http/origin-routes.ts';
import type { Platform } from '#platform/platform.ts';
import { checkCredential, checkPresentation } from './data-model.ts';
import { deriveCredential, addCredentialProof, addPresentationProof } from './embedded-proofs.ts';
import { discloseEnvelope, signEnvelope, isEnvelope, readEnvelopeType } from './envelopes.ts';
import { readSigner } from './keys.ts';
import { checkRelatedResources } from './related-resources.ts';
import { requireFields, VcApiError, type Fields } from './vc-api-error.ts';
import { checkSigner, verifyAnyCredential, verifyAnyPresentation, type Warnings } from './verification.ts';

/** What a body of the VC-API is read as: the thing, and the options, which may be missing. */
type VcApiRequest = { readonly body: Fields; readonly options: Fields };
type VcApiReply = { readonly status: number; readonly body: object };

/** The VC-API (W3C CCG) over the service's own code. A caller can have anything signed with the service's keys, so it is for test suites only. */
export const vcApiRows: readonly OriginRow[] = [
  buildRow('/credentials/issue', handleIssue),
  buildRow('/credentials/derive', handleDerive),
  buildRow('/credentials/verify', handleVerifyCredential),
  buildRow('/presentations/prove', handleProve),
  buildRow('/presentations/verify', handleVerifyPresentation),
];

type Handle = (platform: Platform, request: VcApiRequest) => Promise<VcApiReply>;

function buildRow(path: string, handle: Handle): OriginRow {
  return row('POST', `/vc-api${path}`, 'public', 'unlimited', buildHandler(handle));
}

function buildHandler(handle: Handle): OriginHandler {
  return async (platform, { body }) => {
    const reply = await guardHandler(platform, () => handle(platform, readRequest(body)));
    return { status: reply.status, headers: { 'content-type': 'application/json' }, content: reply.body };
  };
}

function readRequest(body: unknown): VcApiRequest {
  const fields = requireFields(body, 'the body');
  return { body: fields, options: requireFields(fields['options'] ?? {}, 'options') };
}

/** What the libraries for linked data complain of is about what they were given: the caller's fault, and in the log for us. */
async function guardHandler(platform: Platform, answer: () => Promise<VcApiReply>): Promise<VcApiReply> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (!(error instanceof VcApiError)) platform.log.warn({ err: error }, 'the VC-API refused');
    return {
      status: 400,
      body: { verified: false, checks: [], warnings: [], errors: [formatReason(error)] },
    };
  }
}

function formatReason(error: unknown): string {
  return (error instanceof Error ? error.message : 'it cannot be read').slice(0, 1_000);
}

async function handleIssue(platform: Platform, { body, options }: VcApiRequest): Promise<VcApiReply> {
  const asked = requireFields(body['credential'], 'credential');
  checkCredential(asked);
  checkRelatedResources(platform, asked);
  const credential = options['credentialStatus'] === true ? await addStatus(platform, asked) : asked;
  const signing = readSigner(platform, options);
  checkSigner(credential['issuer'], signing.controller);
  const { mediaType } = options;
  if (mediaType === undefined)
    return { status: 201, body: await addCredentialProof(platform, credential, signing, options) };
  const envelopeType = readEnvelopeType(mediaType, 'vc');
  return { status: 201, body: await signEnvelope(envelopeType, credential, signing, options) };
}

/** Suites for status lists expect that the issuer chooses the place; each such credential takes one in the service's own list. */
async function addStatus(platform: Platform, credential: Fields): Promise<Fields> {
  const [place] = await takePlaces(platform, 1);
  return {
    ...credential,
    credentialStatus: buildBitstringEntry(buildIssuer(platform.config.publicUrl), place!),
  };
}

async function handleDerive(platform: Platform, { body, options }: VcApiRequest): Promise<VcApiReply> {
  const credential = requireFields(body['verifiableCredential'], 'verifiableCredential');
  const part = isEnvelope(credential)
    ? discloseEnvelope(credential, options)
    : deriveCredential(platform, credential, options);
  return { status: 201, body: await part };
}

async function handleProve(platform: Platform, { body, options }: VcApiRequest): Promise<VcApiReply> {
  const presentation = requireFields(body['presentation'], 'presentation');
  checkPresentation(presentation);
  const signing = readSigner(platform, options);
  checkSigner(presentation['holder'], signing.controller);
  const { mediaType } = options;
  if (mediaType === undefined)
    return { status: 201, body: await addPresentationProof(platform, presentation, signing, options) };
  const envelopeType = readEnvelopeType(mediaType, 'vp');
  return { status: 201, body: await signEnvelope(envelopeType, presentation, signing, options) };
}

function handleVerifyCredential(platform: Platform, { body, options }: VcApiRequest): Promise<VcApiReply> {
  return describeVerification(verifyAnyCredential(platform, body['verifiableCredential'], options));
}

function handleVerifyPresentation(platform: Platform, { body, options }: VcApiRequest): Promise<VcApiReply> {
  const presentation = body['verifiablePresentation'] ?? body['presentation'];
  return describeVerification(verifyAnyPresentation(platform, presentation, options));
}

async function describeVerification(verifying: Promise<Warnings>): Promise<VcApiReply> {
  const warnings = await verifying;
  return {
    status: 200,
    body: { verified: true, checks: ['proof', 'period', 'status'], warnings, errors: [] },
  };
}
