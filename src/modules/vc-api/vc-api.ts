import type { FastifyInstance } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { buildBitstringEntry, buildIssuer, takePlaces } from '#modules/credentials';
import type { Platform } from '#platform/platform.ts';
import { checkCredential, checkPresentation } from './data-model.ts';
import { deriveCredential, addCredentialProof, addPresentationProof } from './embedded-proofs.ts';
import { discloseEnvelope, signEnvelope, isEnvelope, isEnvelopeType } from './envelopes.ts';
import { readSigner } from './keys.ts';
import { requireFields, VcApiError, type Fields } from './vc-api-error.ts';
import { checkSigner, verifyAnyCredential, verifyAnyPresentation, type Warnings } from './verification.ts';

/** What a body of the VC-API is read as: the thing, and the options, which may be missing. */
type VcApiRequest = { readonly body: Fields; readonly options: Fields };
type VcApiReply = { readonly status: number; readonly body: object };

/**
 * Adds the VC-API (W3C CCG) under `/vc-api`, for test suites that call it: whoever calls may have anything signed with the service's keys,
 * so it stands only where `TESSERA_VC_API` is on, which production refuses.
 */
export function addVcApi(server: FastifyInstance, platform: Platform): void {
  const serve = (path: string, answer: (asked: VcApiRequest) => Promise<VcApiReply>) =>
    server.post(`/vc-api${path}`, async (request, reply) => {
      const { status, body } = await guardHandler(platform, () => answer(readRequest(request.body)));
      return reply.code(status).header('content-type', 'application/json').send(JSON.stringify(body));
    });
  serve('/credentials/issue', (asked) => handleIssue(platform, asked));
  serve('/credentials/derive', (asked) => handleDerive(platform, asked));
  serve('/credentials/verify', ({ body, options }) =>
    handleVerify(verifyAnyCredential(platform, body['verifiableCredential'], options)),
  );
  serve('/presentations/prove', (asked) => handleProve(platform, asked));
  serve('/presentations/verify', ({ body, options }) =>
    handleVerify(
      verifyAnyPresentation(platform, body['verifiablePresentation'] ?? body['presentation'], options),
    ),
  );
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
  const credential = options['credentialStatus'] === true ? await addStatus(platform, asked) : asked;
  const signing = readSigner(platform, options);
  checkSigner(credential['issuer'], signing.controller);
  const { mediaType } = options;
  if (mediaType === undefined)
    return { status: 201, body: await addCredentialProof(platform, credential, signing, options) };
  if (mediaType !== 'application/vc+jwt' && mediaType !== 'application/vc+sd-jwt')
    throw new VcApiError('options.mediaType must be application/vc+jwt, application/vc+sd-jwt, or absent');
  return { status: 201, body: await signEnvelope(mediaType, credential, signing, options) };
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
  if (!isEnvelopeType(mediaType) || mediaType !== 'application/vp+jwt')
    throw new VcApiError('options.mediaType must be application/vp+jwt, or absent');
  return { status: 201, body: await signEnvelope(mediaType, presentation, signing, options) };
}

async function handleVerify(verifying: Promise<Warnings>): Promise<VcApiReply> {
  const warnings = await verifying;
  return {
    status: 200,
    body: { verified: true, checks: ['proof', 'period', 'status'], warnings, errors: [] },
  };
}
