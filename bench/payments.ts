import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { openDatabase } from '#platform/database/database.ts';
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import { runCleanUps } from '#test/clean-up.ts';
import { startFacilitator, type TestFacilitator } from '#test/payments/facilitator-server.ts';
import { openChain } from '../src/modules/income/payments/chain/open-chain.ts';
import {
  createOwnFacilitator,
  createRemoteFacilitator,
  type Facilitator,
} from '../src/modules/income/payments/rails/facilitator.ts';
import { insertCallers } from './lib/callers.ts';
import { createTemporaryDirectory } from './lib/directory.ts';
import { insertMatches, prepareMember, type Reader } from './lib/readable-member.ts';
import { formatMilliseconds, formatRatio, type Benchmark } from './lib/report.ts';
import { startService, type Service } from './lib/service.ts';

const target = '/api/v1/orgs/queries/credential';
const price = 500_000n;

/** Measures what a paid read by x402 takes beyond the verification and the settlement, which a facilitator does in any service. */
export const runBenchmark: Benchmark = async ({ quick }) => {
  const rows = [];
  for (const variant of variants) {
    await using cleaning = new AsyncDisposableStack();
    cleaning.defer(runCleanUps);
    const setup = await startServers(cleaning, variant);
    const { whole_ms, bare_ms, own_ms } = await measurePayments(setup, quick ? 4 : variant.rounds);
    rows.push([
      variant.name,
      formatMilliseconds(whole_ms),
      formatMilliseconds(bare_ms),
      formatMilliseconds(own_ms),
      formatRatio(own_ms / bare_ms),
    ]);
  }
  return {
    title: 'Payments by x402',
    tables: [
      {
        head: [
          'with a',
          'read',
          'verify and settle',
          'our own part',
          'part of verify and settle (target: 0.25×)',
        ],
        rows,
      },
    ],
    notes: [
      'Medians of payments, one after the other. A remote facilitator measures how long it verifies and settles the payment of each read, and everything else is our own part,',
      'with the requests to it. The time of the built-in one is that of another new payment, which the same facilitator verifies and settles alone after each read.',
      `The chain is anvil. Where it mines a block for each transaction, no time is spent waiting for a block, as on no public chain; with blocks of ${block_seconds} s it waits as on Base.`,
    ],
  };
};

const block_seconds = 2;

type Variant = {
  readonly name: string;
  readonly isRemote: boolean;
  readonly block_seconds?: number;
  readonly rounds: number;
};

const variants: readonly Variant[] = [
  { name: 'built-in facilitator, instant blocks', isRemote: false, rounds: 60 },
  { name: 'remote facilitator, instant blocks', isRemote: true, rounds: 60 },
  { name: `remote facilitator, blocks of ${block_seconds} s`, isRemote: true, block_seconds, rounds: 15 },
];

type Setup = {
  readonly service: Service;
  readonly reader: Reader;
  readonly chain: TestChain;
  readonly facilitator: Facilitator;
  /** Returns how long the remote facilitator has worked since the last call; undefined for the built-in one. */
  readonly takeRemoteTime: (() => number) | undefined;
  readonly payer: ReturnType<typeof privateKeyToAccount>;
};

async function startServers(
  cleaning: AsyncDisposableStack,
  { isRemote, block_seconds: seconds }: Variant,
): Promise<Setup> {
  const chain = await startChain(seconds === undefined ? {} : { block_seconds: seconds });
  const remote = isRemote ? await startFacilitator(chain) : undefined;
  const dataDir = path.join(await createTemporaryDirectory(cleaning), 'data');
  const service = await startService(cleaning, dataDir, [], {
    TESSERA_PAYMENT_RAIL: 'x402',
    ...chain.environment,
    ...(remote
      ? { TESSERA_EVM_FACILITATOR_URL: remote.url }
      : { TESSERA_EVM_FACILITATOR_KEY: chain.facilitatorKey }),
  });
  const settings = { ...(await findRunningPostgres(dataDir))!, ssl: false };
  const database = openDatabase({ ...settings, max: 1 }, () => undefined);
  cleaning.defer(() => database.close());
  const callers = await insertCallers(settings, dataDir, service.publicUrl, 10);
  const { member_id } = callers[0]!;
  await prepareMember(database, member_id);
  const [reader] = await insertMatches(database, dataDir, callers, member_id);
  const payer = privateKeyToAccount(generatePrivateKey());
  await chain.mint(payer.address, 1_000_000_000n);
  const facilitator = remote ? createRemoteFacilitator(remote.url) : await openOwnFacilitator(chain);
  const takeRemoteTime = remote && measureFacilitatorTime(remote);
  return { service, reader: reader!, chain, facilitator, takeRemoteTime, payer };
}

/** Adds up how long a facilitator works on its answers. */
function measureFacilitatorTime(remote: TestFacilitator): () => number {
  let spent_ms = 0;
  remote.reply = async (response, { carryOut }) => {
    const started = performance.now();
    const answer = await carryOut();
    spent_ms += performance.now() - started;
    response.end(JSON.stringify(answer));
  };
  return () => {
    const taken_ms = spent_ms;
    spent_ms = 0;
    return taken_ms;
  };
}

/** A facilitator as the service has it, with an account of its own: two processes that send from one account take each other's nonces. */
async function openOwnFacilitator(chain: TestChain): Promise<Facilitator> {
  const key = generatePrivateKey();
  await chain.control.setBalance({ address: privateKeyToAccount(key).address, value: 10n ** 19n });
  const { url: rpcUrl, token: asset, payTo } = chain;
  return createOwnFacilitator(openChain({ rpcUrl, chainId: 31_337, asset, payTo, confirmations: 1 }, key));
}

async function measurePayments(setup: Setup, rounds: number) {
  const { takeRemoteTime } = setup;
  const [whole, bare]: [number[], number[]] = [[], []];
  // The first of each opens connections and loads libraries.
  for (let round = -2; round < rounds; round++) {
    takeRemoteTime?.();
    const read_ms = await measureRead(setup);
    const facilitator_ms = takeRemoteTime ? takeRemoteTime() : await measureFacilitator(setup);
    if (round < 0) continue;
    whole.push(read_ms);
    bare.push(facilitator_ms);
  }
  const [whole_ms, bare_ms] = [pickMedian(whole), pickMedian(bare)];
  // Times of the same read can be compared one by one, so that the wait for a block is in both.
  const own_ms = takeRemoteTime
    ? pickMedian(whole.map((ms, index) => ms - bare[index]!))
    : whole_ms - bare_ms;
  return { whole_ms, bare_ms, own_ms };
}

async function measureRead(setup: Setup): Promise<number> {
  const { service, reader } = setup;
  const payload = await signPayment(setup);
  const headers = {
    authorization: `Bearer ${reader.token}`,
    'content-type': 'application/json',
    'payment-signature': Buffer.from(JSON.stringify(payload)).toString('base64'),
  };
  const body = JSON.stringify({ member_id: reader.alias, data_type: 'trait_profile' });
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${service.port}${target}`, {
    method: 'POST',
    headers,
    body,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return performance.now() - started;
}

async function measureFacilitator(setup: Setup): Promise<number> {
  const payload = await signPayment(setup);
  const started = performance.now();
  const verification = await setup.facilitator.verify(payload, payload.accepted);
  const settlement = await setup.facilitator.settle(payload, payload.accepted);
  if (!verification.isValid || settlement.outcome !== 'settled') throw new Error(settlement.reason);
  return performance.now() - started;
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

async function signPayment({ chain, payer }: Setup): Promise<PaymentPayload> {
  const seconds = BigInt(Math.floor(Date.now() / 1000));
  const nonce = `0x${randomBytes(32).toString('hex')}` as const;
  const message = {
    from: payer.address,
    to: chain.payTo,
    value: price,
    validAfter: seconds - 600n,
    validBefore: seconds + 120n,
    nonce,
  };
  const domain = { name: 'USD Coin', version: '2', chainId: 31_337, verifyingContract: chain.token };
  const primaryType = 'TransferWithAuthorization';
  const signature = await payer.signTypedData({ domain, types: authorizationTypes, primaryType, message });
  const texts = Object.entries(message).map(([name, value]) => [name, String(value)]);
  const accepted: PaymentRequirements = {
    scheme: 'exact',
    network: 'eip155:31337',
    asset: chain.token,
    amount: String(price),
    payTo: chain.payTo,
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  };
  return { x402Version: 2, accepted, payload: { signature, authorization: Object.fromEntries(texts) } };
}

function pickMedian(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)]!;
}
