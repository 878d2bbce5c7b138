import { hashToken } from '#platform/security/hash-token.ts';
import { recordAudit } from '#modules/operations/audit';
import {
  addProof,
  buildIssuer,
  buildVerifiableCredential,
  computeCredentialStatus,
  findCredential,
  findListKey,
  signSdJwtVc,
  type Credential,
} from '#modules/credentials/credentials';
import { findMember } from '#modules/people/members';
import type { Transaction } from '#platform/database/database.ts';
import { readWorldTime } from '#platform/clock.ts';
import type { Platform } from '#platform/platform.ts';
import { findConfiguration, type Configuration } from './configurations.ts';
import type { HolderKey } from './holder-key.ts';
import { ProtocolError } from './protocol-error.ts';
import type { Offer } from './rules.ts';
import { readNonceEnd } from './secrets.ts';
import { insertNonce, lockOfferByToken, recordDelivery } from './store.ts';
import { verifyProof, type Proof } from './verify-proof.ts';

/** A parsed request; its proof is not verified yet. */
type CredentialRequest = { readonly configuration: Configuration; readonly proof: unknown };

/**
 * Delivers a credential to the wallet that has the access token of its offer, bound to the key whose possession the wallet proves
 * (OpenID4VCI 1.0 section 8). Each configuration is delivered once, and each nonce is accepted once.
 *
 * @param token The access token; undefined if the request has none.
 * @throws ProtocolError
 */
export async function deliverCredential(
  platform: Platform,
  token: string | undefined,
  body: unknown,
): Promise<{ readonly credentials: readonly { readonly credential: unknown }[] }> {
  const now = platform.now();
  const token_hash = hashToken(token ?? '');
  await platform.database.transaction(async (tx) =>
    requireLiveOffer(await lockOfferByToken(tx, token_hash), now),
  );
  const { configuration, proof: jwt } = readRequest(body);
  const proof = await verifyProof(jwt, platform.config.publicUrl, readWorldTime(platform));
  const credential = await platform.database.transaction(async (tx) => {
    const offer = requireLiveOffer(await lockOfferByToken(tx, token_hash), now);
    const credential = await requireOfferedCredential(tx, offer, configuration, now);
    await useNonce(platform, tx, proof, now);
    await recordDelivery(tx, offer.id, [...offer.delivered, configuration.id]);
    const { member_id, id: credential_id } = credential;
    const detail = { credential_id, configuration: configuration.id };
    await recordAudit(tx, { now, actor: null, action: 'wallets.delivered', member_id, detail });
    return credential;
  });
  return {
    credentials: [{ credential: await bindCredential(platform, credential, configuration, proof.holder) }],
  };
}

function requireLiveOffer(offer: Offer | undefined, now: Date): Offer {
  if (!offer?.token_expires_at || offer.token_expires_at <= now)
    throw new ProtocolError('invalid_token', 'The access token is missing, invalid or expired.');
  return offer;
}

function readRequest(body: unknown): CredentialRequest {
  const createRequestError = (description: string) =>
    new ProtocolError('invalid_credential_request', description);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw createRequestError('The body must be a JSON object.');
  const fields = body as Readonly<Record<string, unknown>>;
  if ('credential_response_encryption' in fields)
    throw new ProtocolError(
      'invalid_encryption_parameters',
      'Encrypted responses are not supported. Omit credential_response_encryption.',
    );
  if ('credential_identifier' in fields)
    throw new ProtocolError(
      'unknown_credential_identifier',
      'Use credential_configuration_id instead of credential_identifier.',
    );
  const { credential_configuration_id: id } = fields;
  if (typeof id !== 'string') throw createRequestError('credential_configuration_id is missing.');
  const configuration = findConfiguration(id);
  if (!configuration)
    throw new ProtocolError('unknown_credential_configuration', 'The credential configuration is unknown.');
  return { configuration, proof: readProof(fields['proofs']) };
}

function readProof(proofs: unknown): unknown {
  const { jwt, ...others } = (proofs ?? {}) as { readonly jwt?: unknown };
  if (!Array.isArray(jwt) || jwt.length !== 1 || Object.keys(others).length > 0)
    throw new ProtocolError('invalid_proof', 'proofs must contain exactly one proof, of type jwt.');
  return jwt[0];
}

/** The credential of the offer, if it and its member are still active and the configuration is not delivered yet. */
async function requireOfferedCredential(
  tx: Transaction,
  offer: Offer,
  configuration: Configuration,
  now: Date,
): Promise<Credential> {
  const createDeniedError = (description: string) =>
    new ProtocolError('credential_request_denied', description);
  const { credential_id: id, member_id } = offer;
  const credential = await findCredential(tx, { id, member_id });
  const member = await findMember(tx, member_id);
  if (!credential || member?.account_status !== 'active')
    throw createDeniedError('The credential is no longer available.');
  if (computeCredentialStatus(credential, now) !== 'active')
    throw createDeniedError('The credential is revoked or expired.');
  if (credential.credential_type !== configuration.type)
    throw createDeniedError('The offer does not include this credential configuration.');
  if (offer.delivered.includes(configuration.id))
    throw createDeniedError('The credential was already delivered in this configuration.');
  return credential;
}

async function useNonce(platform: Platform, tx: Transaction, { nonce }: Proof, now: Date): Promise<void> {
  const end = readNonceEnd(platform, nonce, now);
  if (!end || !(await insertNonce(tx, hashToken(nonce), end)))
    throw new ProtocolError(
      'invalid_nonce',
      'The nonce is invalid, already used or expired. Fetch a new one.',
    );
}

async function bindCredential(
  platform: Platform,
  credential: Credential,
  { format }: Configuration,
  holder: HolderKey,
): Promise<string | object> {
  const issuer = buildIssuer(platform.config.publicUrl);
  const key = await findListKey(platform, credential.status_list_id);
  if (format === 'dc+sd-jwt') return signSdJwtVc(issuer, key, credential, holder.confirmation);
  const unsecured = buildVerifiableCredential(issuer, credential);
  return addProof(platform, key, {
    ...unsecured,
    credentialSubject: { ...unsecured.credentialSubject, id: holder.did },
  });
}
