import { Refusal } from '#lib/refusal.ts';
import type { Context } from '#platform/operation.ts';
import { readChallenge, type Challenge, type ChallengeUse } from './challenge.ts';
import { readRelyingParty, toUserHandle } from './relying-party.ts';
import type { Passkey } from './resource.ts';
import type { CreatedPasskey, UsedPasskey } from './wire.ts';

/** The algorithms that passkeys may sign with, the preferred one first: Ed25519, ES256 and RS256 (IANA COSE registry). */
export const algorithms = [-8, -7, -257] as const;

type VerificationContext = Pick<Context<never>, 'secrets' | 'now' | 'config' | 'log' | 'request'>;

/** A registration whose signature, origin, host name and challenge are right, and during which the device verified its user. */
export type VerifiedRegistration = Pick<
  Passkey,
  'credential_id' | 'public_key' | 'sign_count' | 'transports' | 'synced'
> & { readonly challenge: Challenge };

/** A use of a passkey that is right in the same ways. The caller still compares the count of signatures, and consumes the challenge. */
export type VerifiedUse = Pick<Passkey, 'sign_count' | 'synced'> & { readonly challenge: Challenge };

/**
 * Verifies the answer of a browser that created a passkey.
 *
 * @returns undefined if it is not right.
 * @throws Refusal `passkey_challenge_invalid`.
 */
export async function verifyRegistration(
  context: VerificationContext,
  passkey: CreatedPasskey,
  use: ChallengeUse,
): Promise<VerifiedRegistration | undefined> {
  const { id, rawId, type, response } = passkey;
  const { clientDataJSON, attestationObject, transports = [] } = response;
  const { verifyRegistrationResponse } = await loadLibrary();
  const party = readRelyingParty(context.config);
  return verify(context, use, async (expectedChallenge) => {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    return (
      registrationInfo && {
        credential_id: Buffer.from(registrationInfo.credential.id, 'base64url'),
        public_key: Buffer.from(registrationInfo.credential.publicKey),
        sign_count: registrationInfo.credential.counter,
        transports: [...new Set(transports)],
        synced: registrationInfo.credentialBackedUp,
      }
    );
  });
}

/**
 * Verifies the answer of a browser that used a passkey.
 *
 * @returns undefined if it is not right.
 * @throws Refusal `passkey_challenge_invalid`.
 */
export async function verifyUse(
  context: VerificationContext,
  known: Passkey,
  passkey: UsedPasskey,
  use: ChallengeUse,
): Promise<VerifiedUse | undefined> {
  const { id, rawId, type, response } = passkey;
  const { clientDataJSON, authenticatorData, signature, userHandle } = response;
  // Without a named user, the passkey itself says whose it is, and must say the same as the database (WebAuthn Level 3, section 7.2, step 6).
  const handle = userHandle ?? (use.user_id === null ? undefined : toUserHandle(use.user_id));
  if (handle !== toUserHandle(known.user_id)) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const party = readRelyingParty(context.config);
  return verify(context, use, async (expectedChallenge) => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The caller compares the count under the lock of the passkey.
      credential: { id, publicKey: new Uint8Array(known.public_key), counter: 0 },
    });
    return verified
      ? { sign_count: authenticationInfo.newCounter, synced: authenticationInfo.credentialBackedUp }
      : undefined;
  });
}

/** The library takes 26 MB and a quarter of a second, which only a process that verifies passkeys pays. */
const loadLibrary = () => import('@simplewebauthn/server');

/** Runs a verification. The library throws an error for everything that is not right; its reason is for the operator. */
async function verify<Verified extends object>(
  context: VerificationContext,
  use: ChallengeUse,
  run: (expectedChallenge: (challenge: string) => boolean) => Promise<Verified | undefined>,
): Promise<(Verified & { readonly challenge: Challenge }) | undefined> {
  const { log, request } = context;
  let challenge: Challenge | undefined;
  let isAsked = false;
  const expectChallenge = (given: string) => {
    isAsked = true;
    challenge = readChallenge(context, given, use);
    return challenge !== undefined;
  };
  const verified = await run(expectChallenge).catch((error: unknown) => {
    if (isAsked && challenge === undefined) throw new Refusal('passkey_challenge_invalid');
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
    log.warn({ request_id: request.id, reason }, 'passkey refused');
    return undefined;
  });
  return verified && challenge && { ...verified, challenge };
}
