import {
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import type { Static } from 'typebox';
import type { TestReply, TestApp } from '#test/harness.ts';
import type { walletOfferWire } from '../../src/modules/wallets/wire.ts';

export type IssuedCredential = {
  readonly id: string;
  readonly member_id: string;
  readonly formats: { readonly vc_jwt: string; readonly sd_jwt_vc: string };
};

/** Issues a credential that any member may issue about themselves. */
export async function createCredential(
  app: TestApp,
  token: string,
  overrides: object = {},
): Promise<IssuedCredential> {
  const answer = await app.request('POST', '/credentials/issue', {
    token,
    body: {
      credential_type: 'trait_attestation',
      attestation_tier: 'self_attested',
      claims: { archetype_family: 'craft', trait_coverage: 0.9 },
      expiry_days: 30,
      ...overrides,
    },
  });
  if (answer.status !== 201) throw new Error(`the credential was answered ${JSON.stringify(answer.body)}`);
  return answer.body as IssuedCredential;
}

export function requestRevocation(
  app: TestApp,
  token: string,
  id: string,
  body: object = {},
): Promise<TestReply> {
  return app.request('POST', `/credentials/${id}/revoke`, { token, body });
}

/** A member at level 3 who has consented to credential_sharing. */
export async function registerSharingMember(app: TestApp) {
  const person = await app.registerDeployedMember();
  await setSharingConsent(app, person.token, true);
  return person;
}

export async function setSharingConsent(app: TestApp, token: string, granted: boolean): Promise<void> {
  const body = { consent_type: 'credential_sharing', granted, version: '1' };
  await app.request('POST', '/members/me/consent', { token, body });
}

export type WalletOffer = Static<typeof walletOfferWire>;

/** Offers a credential to its member's wallet. */
export async function createWalletOffer(
  app: TestApp,
  token: string,
  credential_id: string,
): Promise<WalletOffer> {
  const answer = await app.request('POST', `/credentials/${credential_id}/offer`, { token });
  if (answer.status !== 201) throw new Error(`the offer was answered ${JSON.stringify(answer.body)}`);
  return answer.body as WalletOffer;
}

/** The code inside an offer. */
export function readCode({ credential_offer }: WalletOffer): string {
  return Object.values(credential_offer.grants)[0]!['pre-authorized_code'];
}

/** Posts a form to the token endpoint; fields override those of a right request, undefined leaves one out. */
export function requestToken(
  app: TestApp,
  offer: WalletOffer,
  fields: Readonly<Record<string, string | undefined>> = {},
): Promise<TestReply> {
  const form = Object.entries({
    grant_type: 'urn:ietf:params:oauth:grant-type:pre-authorized_code',
    'pre-authorized_code': readCode(offer),
    tx_code: offer.tx_code,
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
  readonly jwk: JWK;
  readonly alg: 'ES256' | 'EdDSA';
};

export async function createWalletKey(alg: WalletKey['alg'] = 'ES256'): Promise<WalletKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, jwk: await exportJWK(publicKey), alg };
}

export function buildDidJwk({ jwk }: WalletKey): string {
  return `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`;
}

export type ProofChanges = {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly signedBy?: CryptoKey;
};

/** A proof of possession as a wallet makes it; `changes` spoil it. */
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

/** Asks the credential endpoint; `body` overrides a right request. */
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

/** A member with a credential that is offered, and the token that the offer was traded for. */
export async function createTradedOffer(app: TestApp) {
  const member = await app.registerDeployedMember();
  const credential = await createCredential(app, member.token);
  const offer = await createWalletOffer(app, member.token, credential.id);
  const { body } = (await requestToken(app, offer)) as { body: { access_token: string } };
  return { member, credential, offer, access_token: body.access_token };
}

/** A secret of the right length that opens nothing. */
export const wrongSecret = Buffer.alloc(32).toString('base64url');
