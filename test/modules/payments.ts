import { randomBytes, randomUUID } from 'node:crypto';
import { getAddress, type Address, type Hex } from 'viem';
import type { PrivateKeyAccount } from 'viem/accounts';
import {
  takePayment,
  readPaymentProof,
  recordPayment,
  type TakenPayment,
  type PaidRead,
} from '#modules/income/payments';
import { sql } from '#platform/database/database.ts';
import type { TestChain } from '../chain/start-chain.ts';
import { startApp, type TestApp } from '../harness.ts';

/** Starts a service that is paid on a chain. Its clock shows the real time, as the chain's does. */
export async function startPaidApp(
  chain: TestChain,
  environment: Readonly<Record<string, string>> = {},
): Promise<TestApp> {
  const app = await startApp({
    TESSERA_PAYMENT_RAIL: 'x402,transfer',
    ...chain.environment,
    ...(environment['TESSERA_EVM_FACILITATOR_URL'] === undefined && {
      TESSERA_EVM_FACILITATOR_KEY: chain.facilitatorKey,
    }),
    ...environment,
  });
  app.clock.set(new Date());
  return app;
}

/** A read of a member by an organisation, which nothing else in the database knows. */
export function buildPaidRead(changes: Partial<PaidRead> = {}): PaidRead {
  return {
    org_id: randomUUID(),
    user_id: randomUUID(),
    member_id: randomUUID(),
    data_type: 'trait_profile',
    price: 50_000n,
    ...changes,
  };
}

/** What a payer signs, and what differs from a valid payment of 0.05 USD. */
export type SignedFields = {
  readonly to: Address;
  readonly value: bigint;
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: Hex;
  /** The token and the chain of the signature. */
  readonly asset: Address;
  readonly chainId: number;
};

/** A signed payment: the fields, and the payloads of both versions of the protocol. */
export type TestPayment = {
  readonly fields: SignedFields;
  readonly signature: Hex;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accepted: Readonly<Record<string, unknown>>;
};

/** Signs a payment (ERC-3009) with a wallet. @param from The address in it, if it is not that of the signer. */
export async function signPayment(
  chain: TestChain,
  payer: PrivateKeyAccount,
  changes: Partial<SignedFields> = {},
  from: Address = payer.address,
): Promise<TestPayment> {
  const seconds = BigInt(Math.floor(Date.now() / 1000));
  const fields: SignedFields = {
    to: chain.payTo,
    value: 50_000n,
    validAfter: seconds - 600n,
    validBefore: seconds + 120n,
    nonce: `0x${randomBytes(32).toString('hex')}`,
    asset: chain.token,
    chainId: 31_337,
    ...changes,
  };
  const { asset, chainId, ...message } = fields;
  const signature = await payer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: asset },
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: { from, ...message },
  });
  const texts = Object.fromEntries(
    Object.entries({ from, ...message }).map(([name, value]) => [name, value.toString()]),
  );
  return {
    fields,
    signature,
    payload: { signature, authorization: texts },
    accepted: {
      scheme: 'exact',
      network: `eip155:${chainId}`,
      asset: getAddress(asset),
      amount: fields.value.toString(),
      payTo: getAddress(fields.to),
      maxTimeoutSeconds: 120,
      extra: { name: 'USD Coin', version: '2' },
    },
  };
}

const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

/** Writes JSON as a payment header does. */
export function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

/** The header of a signed payment. `changes` replace what the client says it accepted, which is not signed. */
export function buildPaymentHeader(
  { payload, accepted }: Pick<TestPayment, 'payload' | 'accepted'>,
  { version = 2, ...changes }: { readonly version?: 1 | 2 } & Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, string>> {
  if (version === 1) {
    const { scheme, network } = { ...accepted, ...changes };
    return { 'x-payment': encodeJson({ x402Version: 1, scheme, network, payload }) };
  }
  return {
    'payment-signature': encodeJson({ x402Version: 2, accepted: { ...accepted, ...changes }, payload }),
  };
}

/** Pays for a read with a payment that is given as its headers. */
export async function payByHeaders(
  app: TestApp,
  headers: Readonly<Record<string, string>>,
  read: PaidRead,
): Promise<TakenPayment> {
  return takePayment(app.platform, readPaymentProof(headers)!, read);
}

/** Pays for a read with a transaction. */
export function payByHash(
  app: TestApp,
  tx_hash: string,
  read: PaidRead,
  timestamp = Math.floor(app.clock.now().getTime() / 1000),
): Promise<TakenPayment> {
  return payByHeaders(app, { 'payment-signature': encodeJson({ tx_hash, timestamp }) }, read);
}

/** Records the result of a read, as the module that reads does. */
export function recordResult(app: TestApp, { payment }: TakenPayment, result: string): Promise<void> {
  return app.platform.database.transaction((tx) => recordPayment(tx, payment.payment_id, { result }));
}

/** The states of all payments of an organisation. */
export async function listStates(
  app: TestApp,
  { org_id }: Pick<PaidRead, 'org_id'>,
): Promise<readonly string[]> {
  const rows = await app.sql.list(
    sql<{ state: string }>`select state from payments where org_id = ${org_id} order by created_at, id`,
  );
  return rows.map(({ state }) => state);
}

/** Adds a wallet to the organisation of a token, as its administrator does. */
export async function bindWallet(app: TestApp, token: string, wallet: PrivateKeyAccount): Promise<string> {
  const { address } = wallet;
  const challenge = await app.request('POST', '/orgs/me/wallets/challenge', { token, body: { address } });
  const signature = await wallet.signMessage({ message: challenge.body.message });
  const bound = await app.request('POST', '/orgs/me/wallets', { token, body: { address, signature } });
  if (bound.status !== 201)
    throw new Error(`binding returned ${bound.status}: ${JSON.stringify(bound.body)}`);
  return bound.body.id;
}
