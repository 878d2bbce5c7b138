import { LRUCache } from 'lru-cache';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { Services } from '#platform/platform.ts';
import { isRevoked } from '../revocation/revocation-memory.ts';
import { computeExpiryCheck } from '../rules.ts';
import { buildIssuer, type Issuer } from '../signing/issuer.ts';
import { isSignedBy } from '../signing/jws.ts';
import type { FormName } from '../signing/signed-forms.ts';
import { recordVerification } from './count-verifications.ts';
import { readToken, type TokenContent, type UnreadableToken } from './read-token.ts';

/** The result of each check. `not_checked`: an earlier check failed, or the check was not requested. */
export type Checks = {
  readonly form: 'passed' | 'malformed';
  readonly issuer: 'passed' | 'unknown' | 'not_checked';
  readonly signature: 'passed' | 'wrong' | 'key_revoked' | 'not_checked';
  readonly expiry: 'passed' | 'expired' | 'not_yet_valid' | 'not_checked';
  readonly revocation: 'passed' | 'revoked' | 'unknown' | 'not_checked';
};

/** The result of a verification, which is `valid` if every requested check passed. */
export type Verification = {
  readonly valid: boolean;
  readonly form: FormName | null;
  readonly issuer: string | null;
  readonly checks: Checks;
  /** The content of the credential; null unless this service signed it. */
  readonly content: TokenContent | null;
};

/** A token with a verified signature, and the id of its key. Nothing in it can change. */
type VerifiedToken = { readonly form: FormName; readonly kid: string; readonly content: TokenContent };

const cached_tokens_max = 10_000;
/** A token whose claims can be disclosed in many combinations must not fill the memory. */
const cached_characters_max = 80_000_000;

type VerifierMemory = { readonly issuer: Issuer; readonly verified: LRUCache<string, VerifiedToken> };

const getVerifierMemory = instanceMemory(({ config }): VerifierMemory => ({
  issuer: buildIssuer(config.publicUrl),
  verified: new LRUCache({
    max: cached_tokens_max,
    maxSize: cached_characters_max,
    sizeCalculation: (_, token) => token.length,
  }),
}));

/**
 * Verifies a credential in any of its four forms; it need not be stored here. Only a successful signature check is cached, because a
 * correct signature stays correct. The key, the expiry and the revocation are checked every time.
 *
 * @throws Refusal `database_unavailable` if the revocation check is requested and needs the database.
 */
export async function verifyToken(
  services: Services,
  token: string,
  { check_revocation }: { readonly check_revocation: boolean },
): Promise<Verification> {
  const memory = getVerifierMemory(services);
  const cached = memory.verified.get(token);
  const genuine =
    cached && services.keys.findInMemory('credential', cached.kid)?.revoked_at === null
      ? cached
      : await verifyUnknownToken(services, memory, token);
  if ('valid' in genuine) return genuine;
  const { form, content } = genuine;
  recordVerification(services, content.credential_id);
  const expiry = computeExpiryCheck(content, services.now());
  // Not awaited if the result is in memory, which is nearly always the case.
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

/** Caches and returns a token whose signature is correct; otherwise returns the failed verification. */
async function verifyUnknownToken(
  services: Services,
  { issuer, verified }: VerifierMemory,
  token: string,
): Promise<VerifiedToken | Verification> {
  const parsed = readToken(issuer, token);
  if ('unreadable' in parsed) return buildUnreadableResult(parsed);
  const { form, jws, kid, content } = parsed;
  const key = services.keys.findInMemory('credential', kid) ?? (await services.keys.find('credential', kid));
  if (!key || !isSignedBy(key, jws)) return buildRefusedSignature(issuer, form, 'wrong');
  // Anyone may have the private half, so the signature says nothing about the content, not even whether this service issued it.
  if (key.revoked_at) return buildRefusedSignature(issuer, form, 'key_revoked');
  const genuine = { form, kid, content };
  verified.set(token, genuine);
  return genuine;
}

/** @param revoked Null if the check was not requested, undefined if the status list does not exist. */
function computeRevocationCheck(revoked: boolean | null | undefined): Checks['revocation'] {
  if (revoked === null) return 'not_checked';
  if (revoked === undefined) return 'unknown';
  return revoked ? 'revoked' : 'passed';
}

function selectIssuerName(issuer: Issuer, form: FormName): string {
  return form === 'attestation_token' ? issuer.url : issuer.did;
}

const nothingChecked = {
  signature: 'not_checked',
  expiry: 'not_checked',
  revocation: 'not_checked',
} as const;

function buildUnreadableResult(token: UnreadableToken): Verification {
  const foreign = token.unreadable === 'foreign';
  return {
    valid: false,
    form: null,
    issuer: foreign ? token.issuer.slice(0, 500) : null,
    checks: foreign
      ? { form: 'passed', issuer: 'unknown', ...nothingChecked }
      : { form: 'malformed', issuer: 'not_checked', ...nothingChecked },
    content: null,
  };
}

function buildRefusedSignature(
  issuer: Issuer,
  form: FormName,
  signature: 'wrong' | 'key_revoked',
): Verification {
  return {
    valid: false,
    form,
    issuer: selectIssuerName(issuer, form),
    checks: { form: 'passed', issuer: 'passed', ...nothingChecked, signature },
    content: null,
  };
}
