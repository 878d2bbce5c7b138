import type { FastifyInstance } from 'fastify';
import { Refusal } from '#lib/refusal.ts';
import { bitstringEntry, issuerOf, takePlaces } from '#modules/credentials';
import type { Platform } from '#platform/platform.ts';
import { checkCredential, checkPresentation } from './data-model.ts';
import { derived, proven, provenPresentation } from './embedded-proofs.ts';
import { disclosed, enveloped, isEnvelope, isEnvelopeType } from './envelopes.ts';
import { signingKey } from './keys.ts';
import { fieldsOf, VcApiError, type Fields } from './vc-api-error.ts';
import { checkSigner, verifyAnyCredential, verifyAnyPresentation, type Warnings } from './verify.ts';

/** What a body of the VC-API is read as: the thing, and the options, which may be missing. */
type Asked = { readonly body: Fields; readonly options: Fields };
type Answered = { readonly status: number; readonly body: object };

/**
 * Adds the VC-API (W3C CCG) under `/vc-api`, for test suites that call it: whoever calls may have anything signed with the service's keys,
 * so it stands only where `TESSERA_VC_API` is on, which production refuses.
 */
export function addVcApi(door: FastifyInstance, platform: Platform): void {
  const serve = (path: string, answer: (asked: Asked) => Promise<Answered>) =>
    door.post(`/vc-api${path}`, async (request, reply) => {
      const { status, body } = await answered(platform, () => answer(readAsked(request.body)));
      return reply.code(status).header('content-type', 'application/json').send(JSON.stringify(body));
    });
  serve('/credentials/issue', (asked) => issue(platform, asked));
  serve('/credentials/derive', (asked) => derive(platform, asked));
  serve('/credentials/verify', ({ body, options }) =>
    verdict(verifyAnyCredential(platform, body['verifiableCredential'], options)),
  );
  serve('/presentations/prove', (asked) => prove(platform, asked));
  serve('/presentations/verify', ({ body, options }) =>
    verdict(verifyAnyPresentation(platform, body['verifiablePresentation'] ?? body['presentation'], options)),
  );
}

function readAsked(body: unknown): Asked {
  const fields = fieldsOf(body, 'the body');
  return { body: fields, options: fieldsOf(fields['options'] ?? {}, 'options') };
}

/** What the libraries for linked data complain of is about what they were given: the caller's fault, and in the log for us. */
async function answered(platform: Platform, answer: () => Promise<Answered>): Promise<Answered> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (!(error instanceof VcApiError)) platform.log.warn({ err: error }, 'the VC-API refused');
    return { status: 400, body: { verified: false, checks: [], warnings: [], errors: [reasonOf(error)] } };
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : 'it cannot be read').slice(0, 1_000);
}

async function issue(platform: Platform, { body, options }: Asked): Promise<Answered> {
  const asked = fieldsOf(body['credential'], 'credential');
  checkCredential(asked);
  const credential = options['credentialStatus'] === true ? await withStatus(platform, asked) : asked;
  const signing = signingKey(platform, options);
  checkSigner(credential['issuer'], signing.controller);
  const { mediaType } = options;
  if (mediaType === undefined)
    return { status: 201, body: await proven(platform, credential, signing, options) };
  if (mediaType !== 'application/vc+jwt' && mediaType !== 'application/vc+sd-jwt')
    throw new VcApiError('options.mediaType must be application/vc+jwt, application/vc+sd-jwt, or absent');
  return { status: 201, body: await enveloped(mediaType, credential, signing, options) };
}

/** Suites for status lists expect that the issuer chooses the place; each such credential takes one in the service's own list. */
async function withStatus(platform: Platform, credential: Fields): Promise<Fields> {
  const [place] = await takePlaces(platform, 1);
  return { ...credential, credentialStatus: bitstringEntry(issuerOf(platform.config.publicUrl), place!) };
}

async function derive(platform: Platform, { body, options }: Asked): Promise<Answered> {
  const credential = fieldsOf(body['verifiableCredential'], 'verifiableCredential');
  const part = isEnvelope(credential)
    ? disclosed(credential, options)
    : derived(platform, credential, options);
  return { status: 201, body: await part };
}

async function prove(platform: Platform, { body, options }: Asked): Promise<Answered> {
  const presentation = fieldsOf(body['presentation'], 'presentation');
  checkPresentation(presentation);
  const signing = signingKey(platform, options);
  checkSigner(presentation['holder'], signing.controller);
  const { mediaType } = options;
  if (mediaType === undefined)
    return { status: 201, body: await provenPresentation(platform, presentation, signing, options) };
  if (!isEnvelopeType(mediaType) || mediaType !== 'application/vp+jwt')
    throw new VcApiError('options.mediaType must be application/vp+jwt, or absent');
  return { status: 201, body: await enveloped(mediaType, presentation, signing, options) };
}

async function verdict(verifying: Promise<Warnings>): Promise<Answered> {
  const warnings = await verifying;
  return {
    status: 200,
    body: { verified: true, checks: ['proof', 'period', 'status'], warnings, errors: [] },
  };
}
