import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import type { Static } from 'typebox';
import type { TestApp, TestReply } from '#test/harness.ts';
import { createCredential } from '#test/modules/credentials.ts';
import type { walletOfferWire } from '../../src/modules/credentials/wallets/wire.ts';

export type WalletOffer = Static<typeof walletOfferWire>;

/** Offers a credential to its member's wallet. */
export async function createWalletOffer(
  app: TestApp,
  token: string,
  credential_id: string,
  device: 'this' | 'another' = 'another',
): Promise<WalletOffer> {
  const { status, body } = await app.request('POST', `/credentials/${credential_id}/offer`, {
    token,
    body: { device },
  });
  if (status !== 201) throw new Error(`the offer failed with status ${status}: ${JSON.stringify(body)}`);
  return body as WalletOffer;
}

/** The code inside an offer. */
export function readCode({ credential_offer }: WalletOffer): string {
  return Object.values(credential_offer.grants)[0]!['pre-authorized_code'];
}

/** Posts a form to the token endpoint. `fields` override those of a valid request; undefined omits one. */
export function requestToken(
  app: TestApp,
  offer: WalletOffer,
  fields: Readonly<Record<string, string | undefined>> = {},
): Promise<TestReply> {
  const form = Object.entries({
    grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
    'pre-authorized_code': readCode(offer),
    tx_code: offer.tx_code ?? undefined,
    ...fields,
  }).filter((field): field is [string, string] => field[1] !== undefined);
  return app.request('POST', '//openid4vci/token', {
    raw: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

export async function fetchNonce(app: TestApp): Promise<string> {
  const { body } = (await app.request('POST', '//openid4vci/nonce')) as { body: { c_nonce: string } };
  return body.c_nonce;
}

/** A wallet's key. */
export type WalletKey = {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK & { readonly kty: string };
  readonly alg: string;
};

export async function createWalletKey(alg = 'ES256'): Promise<WalletKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(publicKey);
  return { privateKey, jwk: { ...jwk, kty: String(jwk.kty) }, alg };
}

export function buildDidJwk({ jwk }: WalletKey): string {
  return `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
}

export type ProofChanges = {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly signedBy?: CryptoKey;
};

/** Signs a proof of possession as a wallet does; `changes` make it invalid. */
export async function signProof(app: TestApp, key: WalletKey, changes: ProofChanges = {}): Promise<string> {
  const { publicUrl } = app.platform.config;
  const payload = {
    aud: publicUrl,
    iat: Math.floor(app.clock.now().getTime() / 1000),
    nonce: await fetchNonce(app),
    ...changes.payload,
  };
  const header = { alg: key.alg, typ: 'openid4vci-proof+jwt', jwk: key.jwk, ...changes.header };
  return new SignJWT(payload)
    .setProtectedHeader(dropUndefined(header) as JWTHeaderParameters)
    .sign(changes.signedBy ?? key.privateKey);
}

function dropUndefined(header: object): object {
  return Object.fromEntries(Object.entries(header).filter(([, value]) => value !== undefined));
}

/** Posts to the credential endpoint; `body` overrides fields of a valid request. */
export function fetchCredential(
  app: TestApp,
  access_token: string,
  jwt: string,
  body: object = {},
): Promise<TestReply> {
  return app.request('POST', '//openid4vci/credential', {
    token: access_token,
    body: { credential_configuration_id: 'trait_attestation_sd_jwt', proofs: { jwt: [jwt] }, ...body },
  });
}

/** Creates a member with an offered credential, and exchanges the offer's code for an access token. */
export async function createTradedOffer(app: TestApp) {
  const member = await app.registerDeployedMember();
  const credential = await createCredential(app, member.token);
  const offer = await createWalletOffer(app, member.token, credential.id);
  const { body } = (await requestToken(app, offer)) as { body: { access_token: string } };
  return { member, credential, offer, access_token: body.access_token };
}

/** A secret of the right length that matches no offer. */
export const wrongSecret = Buffer.alloc(32).toString('base64url');
