import { W3cV2JwtVerifiableCredential, type Kms, type SdJwtVcRecord } from '@credo-ts/core';
import { describe, expect, it } from 'vitest';
import { startCredoAgent } from '#test/credo-agent.ts';
import { startApp } from '#test/harness.ts';
import {
  createCredential,
  readHeader,
  readPayload,
  requestRevocation,
  requestVerification,
  type IssuedCredential,
} from '#test/modules/credentials.ts';
import { createWalletOffer } from '#test/modules/wallets.ts';

const app = await startApp({ TESSERA_PUBLIC_URL: 'https://tessera.example' });
// The framework signs its proofs and checks the times of credentials by the real clock.
app.clock.set(new Date());
const agent = await startCredoAgent(app);
const member = await app.registerDeployedMember();

type Binding = { readonly method: 'did'; readonly didUrls: string[] };

/** The ways in which the wallet names its key. It resolves DIDs, and not the metadata of an issuer that is a URL. */
const bindings: readonly [name: string, create: () => Promise<Binding>][] = [
  ['did:jwk with P-256', () => createDidBinding('jwk', { kty: 'EC', crv: 'P-256' })],
  ['did:key with P-256', () => createDidBinding('key', { kty: 'EC', crv: 'P-256' })],
  ['did:key with Ed25519', () => createDidBinding('key', { kty: 'OKP', crv: 'Ed25519' })],
];

async function createDidBinding(
  method: 'jwk' | 'key',
  type: Kms.KmsCreateKeyTypeAssymetric,
): Promise<Binding> {
  const { didState } = await agent.dids.create({ method, options: { createKey: { type } } });
  const didUrl = didState.didDocument?.verificationMethod?.[0]?.id;
  if (didUrl === undefined)
    throw new Error(`the agent created no did:${method}: ${JSON.stringify(didState)}`);
  return { method: 'did', didUrls: [didUrl] };
}

/** Offers a credential to the agent's wallet. @returns what the wallet received and, before it stores it, verified. */
async function receiveCredential(
  binding: Binding,
): Promise<{ issued: IssuedCredential; compact: string; record: SdJwtVcRecord }> {
  const issued = await createCredential(app, member.token);
  const offer = await createWalletOffer(app, member.token, issued.id);
  const { holder } = agent.openid4vc;
  const resolvedCredentialOffer = await holder.resolveCredentialOffer(offer.offer_link);
  const { accessToken } = await holder.requestToken({ resolvedCredentialOffer, txCode: offer.tx_code! });
  const { credentials } = await holder.requestCredentials({
    resolvedCredentialOffer,
    accessToken,
    credentialConfigurationIds: ['trait_attestation_sd_jwt'],
    credentialBindingResolver: () => binding,
  });
  const record = credentials[0]!.record as SdJwtVcRecord;
  return { issued, record, compact: record.firstCredential.compact };
}

describe('Credo as a wallet', () => {
  it.each(bindings)(
    'fetches, verifies and presents a credential that is bound to %s',
    async (_, createBinding) => {
      const binding = await createBinding();
      const { issued, record, compact } = await receiveCredential(binding);
      const payload = readPayload(compact);
      expect(payload).toMatchObject({ iss: issued.issuer, jti: issued.id });
      expect(payload.cnf).toEqual({ kid: binding.didUrls[0] });
      expect((await requestVerification(app, compact)).body).toMatchObject({
        valid: true,
        form: 'sd_jwt_vc',
      });

      const keyBinding = { audience: 'https://verifier.example', nonce: 'a nonce of the verifier' };
      const presented = await agent.sdJwtVc.present({
        sdJwtVc: record.firstCredential,
        presentationFrame: { archetype_family: true },
        verifierMetadata: { ...keyBinding, issuedAt: Math.floor(Date.now() / 1000) },
      });
      const verified = await agent.sdJwtVc.verify({ compactSdJwtVc: presented, keyBinding });
      expect(verified.isValid).toBe(true);
      expect(verified.sdJwtVc?.prettyClaims).toMatchObject({ archetype_family: 'craft' });
      expect(verified.sdJwtVc?.prettyClaims).not.toHaveProperty('sub');
      const replayed = await agent.sdJwtVc.verify({
        compactSdJwtVc: presented,
        keyBinding: { ...keyBinding, nonce: 'another' },
      });
      expect(replayed.isValid).toBe(false);
    },
  );
});

describe('Credo as a verifier', () => {
  const verifySdJwt = async (compactSdJwtVc: string) =>
    (await agent.sdJwtVc.verify({ compactSdJwtVc })).isValid;
  const verifyVcJwt = async (compact: string) => {
    const credential = W3cV2JwtVerifiableCredential.fromCompact(compact);
    return (await agent.w3cV2Credentials.verifyCredential({ credential })).isValid;
  };

  /** Fetches the SD-JWT VC of a new record into a wallet, which gets one whose issuer is a DID. */
  const receive = async () => receiveCredential(await createDidBinding('jwk', { kty: 'EC', crv: 'P-256' }));

  it('accepts the SD-JWT VC and the W3C credential of a record, and neither after a change', async () => {
    const { issued, compact } = await receive();
    const { vc_jwt } = issued.formats;
    expect([await verifySdJwt(compact), await verifyVcJwt(vc_jwt)]).toEqual([true, true]);
    const [vc, sd] = [changePayload(vc_jwt), changePayload(compact)];
    expect([await verifySdJwt(sd), await verifyVcJwt(vc)]).toEqual([false, false]);
  });

  it('refuses an SD-JWT VC once it is revoked', async () => {
    const { issued, compact } = await receive();
    expect(await verifySdJwt(compact)).toBe(true);
    await requestRevocation(app, member.token, issued.id);
    expect(await verifySdJwt(compact)).toBe(false);
  });

  it('accepts credentials from before and after a rotation of the keys, also once their lists are signed again', async () => {
    const old = await receive();
    const neighbour = await createCredential(app, member.token);
    await app.platform.keys.rotate('credential');
    const recent = await receive();
    await requestRevocation(app, member.token, neighbour.id);
    expect(readHeader(recent.compact).kid).not.toBe(readHeader(old.compact).kid);
    for (const { issued, compact } of [old, recent])
      expect([await verifySdJwt(compact), await verifyVcJwt(issued.formats.vc_jwt)]).toEqual([true, true]);
  });
});

/** Changes the time of expiry in the payload and keeps the signature. */
function changePayload(token: string): string {
  const [header, , ...rest] = token.split('.');
  const payload = readPayload(token);
  const changed = Buffer.from(JSON.stringify({ ...payload, exp: payload.exp + 1 })).toString('base64url');
  return [header, changed, ...rest].join('.');
}
