import { createFieldRefusal, Refusal } from '#lib/refusal.ts';
import { buildIssuer, verifyToken, type Verification } from '#modules/credentials/credentials';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { checkStatus } from './checks/check-status.ts';
import {
  computePeriodCheck,
  decideVerdict,
  readPeriod,
  type AnyChecks,
  type VerdictName,
} from './checks/rules.ts';
import { isProofOf, readEmbeddedProof } from './checks/verify-proof.ts';
import { UncheckedError, type Fault } from './faults.ts';
import { findIssuerKey, type FoundKey, type IssuerProof } from './issuers/find-key.ts';
import { readIssuerName, type NamedIssuer } from './issuers/issuer-name.ts';
import { isAlgorithm, isSignatureOf } from './issuers/public-key.ts';
import { createDocumentReader, type ReadDocument } from './issuers/read-document.ts';
import { toText } from './reading/json.ts';
import { readCredentialText, type ReadCredential, type Unreadable } from './reading/read-text.ts';
import { listTypes, summariseContent, type SaidClaim } from './reading/summarise-content.ts';

/** What is known about a credential of any issuer. */
export type AnyVerification = {
  readonly verdict: VerdictName;
  readonly form: ReadCredential['form'] | 'attestation_token' | 'open_badge';
  readonly issuer: NamedIssuer;
  readonly proof: IssuerProof | undefined;
  readonly checks: AnyChecks;
  /** Why something could not be checked. */
  readonly fault: Fault | undefined;
  readonly types: readonly string[];
  readonly says: readonly SaidClaim[];
  readonly valid_from: Date | undefined;
  readonly valid_until: Date | undefined;
  /** The verification of a token of this service. */
  readonly own: Verification | undefined;
};

/**
 * Verifies a credential of any issuer, in any form that is spoken here. What the issuer is, its keys and its status lists are read from its own servers, through the
 * outbound guard: four documents at most, 2.5 s each. Contexts are never fetched.
 *
 * @throws Refusal `field_invalid` if the text is no credential, `overloaded` if too many are being verified.
 */
export async function verifyAnyCredential(services: Services, text: string): Promise<AnyVerification> {
  const read = readCredentialText(text);
  if ('unreadable' in read)
    throw createFieldRefusal('field_invalid', '/credential', unreadableWords[read.unreadable]);
  const issuer = readIssuerName(read.content);
  if (!issuer) throw createFieldRefusal('field_invalid', '/credential', unreadableWords.no_issuer);
  return limitSimultaneous(services, () =>
    read.form !== 'data_integrity' && isOwn(services, issuer)
      ? verifyOwn(services, read, issuer)
      : verifyForeign(services, read, issuer),
  );
}

const unreadableWords: Readonly<Record<Unreadable | 'no_issuer', string>> = {
  no_credential: 'is not a credential in a form that is known here: a JWT, an SD-JWT, or JSON with a proof',
  damaged: 'begins like a credential, but a part of it is missing, was changed, or is too large',
  presentation: 'is a presentation, which its holder made for one recipient. Give the credential in it',
  link: 'is a link. Open it, and give the credential that it leads to',
  no_issuer: 'does not name one issuer',
};

/** More would keep too many connections open to servers that strangers name. */
const simultaneous_max = 20;

const getRunning = instanceMemory(() => ({ count: 0 }));

async function limitSimultaneous<Result>(services: Services, run: () => Promise<Result>): Promise<Result> {
  const running = getRunning(services);
  if (running.count >= simultaneous_max) throw new Refusal('overloaded', { headers: { 'retry-after': '5' } });
  running.count++;
  try {
    return await run();
  } finally {
    running.count--;
  }
}

function isOwn({ config }: Services, { id }: NamedIssuer): boolean {
  const { did, url } = buildIssuer(config.publicUrl);
  return id === did || id === url;
}

/** Verifies a token of this service as the API does, from what is known here. */
async function verifyOwn(
  services: Services,
  read: Exclude<ReadCredential, { form: 'data_integrity' }>,
  issuer: NamedIssuer,
): Promise<AnyVerification> {
  const own = await verifyToken(services, read.token, { check_revocation: true });
  const { signature, expiry, revocation } = own.checks;
  const isKnown = signature === 'passed';
  const checks: AnyChecks = {
    issuer: isKnown ? 'this_service' : 'not_checked',
    signature: signature === 'key_revoked' ? 'not_checked' : isKnown ? 'passed' : 'wrong',
    period: expiry,
    status: revocation === 'unknown' ? 'not_checked' : revocation,
  };
  return {
    ...describe(read, issuer),
    form: own.form ?? read.form,
    verdict: decideVerdict(checks, { is_self_attested: own.content?.attestation_tier === 'self_attested' }),
    proof: isKnown ? { kind: 'this_service' } : undefined,
    checks,
    fault: signature === 'key_revoked' ? 'key_revoked' : undefined,
    own,
  };
}

function describe(read: ReadCredential, issuer: NamedIssuer) {
  const { from, until } = readPeriod(read.content);
  return {
    form: read.form,
    issuer,
    types: listTypes(read),
    says: summariseContent(read),
    valid_from: from,
    valid_until: until,
    own: undefined,
  };
}

const nothingChecked: AnyChecks = {
  issuer: 'not_checked',
  signature: 'not_checked',
  period: 'not_checked',
  status: 'not_checked',
};

async function verifyForeign(
  services: Services,
  read: ReadCredential,
  issuer: NamedIssuer,
): Promise<AnyVerification> {
  const readDocument = createDocumentReader(services.fetchOutbound);
  const described = describe(read, issuer);
  const conclude = (checks: AnyChecks, proof?: IssuerProof, fault?: Fault): AnyVerification => ({
    ...described,
    verdict: decideVerdict(checks, {
      is_self_attested: read.content['attestation_tier'] === 'self_attested',
    }),
    proof,
    checks,
    fault,
  });
  let signed;
  try {
    signed = await verifySignature(services, readDocument, read, issuer.id);
  } catch (error) {
    return conclude(nothingChecked, undefined, readFault(error));
  }
  const { isSigned, proof } = signed;
  if (!isSigned) return conclude({ ...nothingChecked, signature: 'wrong' });
  const period = computePeriodCheck(read.content, services.now());
  const passed = { issuer: proof.kind, signature: 'passed', period } as const;
  try {
    const status = await checkStatus(
      {
        services,
        readDocument,
        verifySigned: (list) => requireSigned(services, readDocument, list, issuer.id),
      },
      read.content,
    );
    return conclude({ ...passed, status }, proof);
  } catch (error) {
    return conclude({ ...passed, status: 'not_checked' }, proof, readFault(error));
  }
}

function readFault(error: unknown): Fault {
  if (error instanceof UncheckedError) return error.fault;
  throw error;
}

/** Finds the key of the issuer, and verifies the signature of a credential with it. @throws UncheckedError */
async function verifySignature(
  services: Services,
  readDocument: ReadDocument,
  read: ReadCredential,
  issuer_id: string,
): Promise<Pick<FoundKey, 'proof'> & { readonly isSigned: boolean }> {
  if (read.form === 'data_integrity') {
    const embedded = readEmbeddedProof(read.content);
    const { key, proof } = await findIssuerKey(services, readDocument, issuer_id, embedded.key_id);
    return { proof, isSigned: await isProofOf(services, read.content, embedded, key) };
  }
  const { header, signed, signature } = read.jws;
  const { alg, kid, crit } = header;
  // An extension that is not understood may change what the signature means (RFC 7515, section 4.1.11).
  if (!isAlgorithm(alg) || crit !== undefined) throw new UncheckedError('algorithm_unsupported');
  const { key, proof } = await findIssuerKey(services, readDocument, issuer_id, toText(kid));
  return { proof, isSigned: isSignatureOf(key, alg, signed, signature) };
}

/** Checks that a status list is signed by the issuer of the credential: another one could say anything. @throws UncheckedError */
async function requireSigned(
  services: Services,
  readDocument: ReadDocument,
  list: ReadCredential,
  issuer_id: string,
): Promise<void> {
  const named = readIssuerName(list.content)?.id ?? issuer_id;
  if (named !== issuer_id) throw new UncheckedError('status_unsupported');
  const { isSigned } = await verifySignature(services, readDocument, list, issuer_id);
  if (!isSigned) throw new UncheckedError('status_invalid');
}
