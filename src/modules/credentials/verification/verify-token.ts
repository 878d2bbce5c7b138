import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { SigningKey } from '#platform/security/keys.ts';
import type { Services } from '#platform/platform.ts';
import { recordVerification } from './count-verifications.ts';
import type { FormName } from '../signing/signed-forms.ts';
import { buildIssuer, type Issuer } from '../signing/issuer.ts';
import { isSignedBy } from '../signing/jws.ts';
import { readToken, type TokenContent, type UnreadableToken } from './read-token.ts';
import { isRevoked } from '../revocation/revocation-memory.ts';
import { computeExpiryCheck } from '../rules.ts';

/** What was looked at, each by name. `not_checked`: an earlier check failed, or nobody asked. */
export type Checks = {
  readonly form: 'passed' | 'malformed';
  readonly issuer: 'passed' | 'unknown' | 'not_checked';
  readonly signature: 'passed' | 'wrong' | 'not_checked';
  readonly expiry: 'passed' | 'expired' | 'not_yet_valid' | 'not_checked';
  readonly revocation: 'passed' | 'revoked' | 'unknown' | 'not_checked';
};

/** The outcome of a verification: `valid` where every check passed that was asked for. */
export type Verification = {
  readonly valid: boolean;
  readonly form: FormName | null;
  readonly issuer: string | null;
  readonly checks: Checks;
  /** What the credential says; null unless the signature is ours. */
  readonly content: TokenContent | null;
};

/** A token whose signature was verified, and with which key. Nothing in it can change. */
type VerifiedToken = { readonly form: FormName; readonly kid: string; readonly content: TokenContent };

const cached_tokens_max = 10_000;

type VerifierMemory = { readonly issuer: Issuer; readonly verified: LRUCache<string, VerifiedToken> };

const getVerifierMemory = instanceMemory(({ config }): VerifierMemory => ({
  issuer: buildIssuer(config.publicUrl),
  verified: new LRUCache({ max: cached_tokens_max }),
}));

/**
 * Verifies a credential in any of its three forms; it need not be stored here. Only the result of the signature check is remembered, since
 * a signature that was right stays right: the key, the expiry and the revocation are looked at every time.
 *
 * @throws Refusal `database_unavailable` where the revocation is asked for and cannot be known.
 */
export async function verifyToken(
  services: Services,
  token: string,
  { check_revocation }: { readonly check_revocation: boolean },
): Promise<Verification> {
  const memory = getVerifierMemory(services);
  const known = memory.verified.get(token);
  const genuine =
    known && isCredentialKey(services.keys.findInMemory(known.kid))
      ? known
      : await verifyUnknownToken(services, memory, token);
  if ('valid' in genuine) return genuine;
  const { form, content } = genuine;
  recordVerification(services, content.credential_id);
  const expiry = computeExpiryCheck(content, services.now());
  // Asked without `await` where the answer is in memory, as it nearly always is.
  const revoked = check_revocation ? isRevoked(services, content) : null;
  const revocation = computeRevocationCheck(revoked instanceof Promise ? await revoked : revoked);
  return {
    valid: expiry === 'passed' && (revocation === 'passed' || !check_revocation),
    form,
    issuer: selectIssuerName(memory.issuer, form),
    checks: { form: 'passed', issuer: 'passed', signature: 'passed', expiry, revocation },
    content,
  };
}

/** The content of a token whose signature is right, which is remembered; or why it is not. */
async function verifyUnknownToken(
  services: Services,
  { issuer, verified }: VerifierMemory,
  token: string,
): Promise<VerifiedToken | Verification> {
  const read = readToken(issuer, token);
  if ('unreadable' in read) return buildUnreadableResult(read);
  const { form, jws, kid, content } = read;
  const key = services.keys.findInMemory(kid) ?? (await services.keys.find(kid));
  if (!isCredentialKey(key) || !isSignedBy(key, jws)) return buildWrongSignatureResult(issuer, form);
  const genuine = { form, kid, content };
  verified.set(token, genuine);
  return genuine;
}

/** A key of another algorithm signs no credentials, whatever it is called. */
function isCredentialKey(key: SigningKey | undefined): key is SigningKey {
  return key?.algorithm === 'ES256';
}

/** @param revoked Null where nobody asked, undefined where no such list exists. */
function computeRevocationCheck(revoked: boolean | null | undefined): Checks['revocation'] {
  if (revoked === null) return 'not_checked';
  if (revoked === undefined) return 'unknown';
  return revoked ? 'revoked' : 'passed';
}

function selectIssuerName(issuer: Issuer, form: FormName): string {
  return form === 'vc_jwt' ? issuer.did : issuer.url;
}

const nothingChecked = {
  signature: 'not_checked',
  expiry: 'not_checked',
  revocation: 'not_checked',
} as const;

function buildUnreadableResult(read: UnreadableToken): Verification {
  const foreign = read.unreadable === 'foreign';
  return {
    valid: false,
    form: null,
    issuer: foreign ? read.issuer.slice(0, 500) : null,
    checks: foreign
      ? { form: 'passed', issuer: 'unknown', ...nothingChecked }
      : { form: 'malformed', issuer: 'not_checked', ...nothingChecked },
    content: null,
  };
}

function buildWrongSignatureResult(issuer: Issuer, form: FormName): Verification {
  return {
    valid: false,
    form,
    issuer: selectIssuerName(issuer, form),
    checks: { form: 'passed', issuer: 'passed', ...nothingChecked, signature: 'wrong' },
    content: null,
  };
}
