import type { AddressInfo } from 'node:net';
import { ExactEvmSchemeV1 } from '@x402/evm/v1';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPayingFetch, readMember } from '../../docs/pay-for-reads.js';
import { sql } from '#platform/database/database.ts';
import { startChain, type TestChain } from '../chain/start-chain.ts';
import { proves } from '../requirements.ts';
import type { TestApp } from '../harness.ts';
import {
  bindWallet,
  buildPaymentHeader,
  encodeJson,
  signPayment,
  startPaidApp,
} from '../modules/payments.ts';
import { findAliases, registerReadable, spendAllowance } from '../modules/reads.ts';
import type { TestOrgUser } from '../users.ts';

let chain: TestChain;
let app: TestApp;
let url: string;
let org: TestOrgUser;
let aliases: readonly string[];
beforeAll(async () => {
  // The name of this chain is one that clients of version 1 know.
  chain = await startChain({ chain_id: 84_532 });
  app = await startPaidApp(chain);
  await app.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`;
  org = await app.registerOrgAdmin();
  aliases = await findAliases(app, org, [await registerReadable(app), await registerReadable(app)]);
  await spendAllowance(app, org);
});
beforeEach(() => {
  app.clock.set(new Date());
});

const network = 'eip155:84532' as const;
const buildLimits = (named: string = network) => ({
  network: named as typeof network,
  asset: chain.token,
  maxAmountPerPayment: '1000000',
});

const sendRead = (
  headers: Readonly<Record<string, string>>,
  member_id = aliases[0]!,
  data_type = 'archetype',
) =>
  app.request('POST', '/orgs/queries/credential', {
    token: org.token,
    headers,
    body: { member_id, data_type },
  });

/** The reads that are recorded, and the money that has moved. */
async function countEffects() {
  const { reads } = await app.sql.one(sql<{ reads: number }>`select count(*) as reads from reads`);
  return { reads, received: await chain.readBalance(chain.payTo) };
}

test('the client of the documents pays over HTTP, and reads', async () => {
  proves('payment-org-pays-per-query-x402', 'query-result-payment-type-value-x402');
  const [payer, before] = [await chain.createPayer(), await countEffects()];
  const payingFetch = createPayingFetch(payer, buildLimits());
  const [member_id, data_type] = [aliases[0]!, 'trait_profile'];
  const { result, receipt } = await readMember(payingFetch, { url, token: org.token, member_id, data_type });
  expect(result).toMatchObject({ query_metadata: { data_type: 'trait_profile', payment_type: 'x402' } });
  expect(receipt).toMatchObject({ success: true, network, payer: payer.address.toLowerCase() });
  const after = await countEffects();
  expect(after.reads - before.reads).toBe(1);
  expect(after.received - before.received).toBe(5_000_000n - (await chain.readBalance(payer.address)));
});

test('a client of version 1 pays by the terms in the body', async () => {
  const payer = await chain.createPayer();
  const client = new x402Client().registerV1('base-sepolia', new ExactEvmSchemeV1(payer));
  // It knows nothing of the header of version 2.
  const sendWithoutHeader = async (...args: Parameters<typeof fetch>) => {
    const response = await fetch(...args);
    const headers = new Headers(response.headers);
    headers.delete('payment-required');
    return new Response(response.body, { status: response.status, headers });
  };
  const response = await wrapFetchWithPayment(
    sendWithoutHeader,
    client.setSpendControls({ allowedAssets: [buildLimits('base-sepolia')] }),
  )(`${url}/api/v1/orgs/queries/credential`, {
    method: 'POST',
    headers: { authorization: `Bearer ${org.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ member_id: aliases[1], data_type: 'trait_profile' }),
  });
  expect(response.status).toBe(200);
  const receipt = decodePaymentResponseHeader(response.headers.get('x-payment-response')!);
  expect(receipt).toMatchObject({ success: true });
});

test('without a payment, the reply has the terms in the header and in the body', async () => {
  proves('error-payment-missing-carries-pricing-metadata');
  const { status, body, headers } = await sendRead({});
  expect([status, body.code]).toEqual([402, 'payment_required']);
  const { pricing, accepts } = body;
  expect(pricing).toEqual({
    price: expect.any(Number),
    currency: 'USD',
    data_type: 'archetype',
    parts: ['archetype'],
    data_completeness: 'comprehensive',
    rails: ['transfer', 'x402'],
    pay_to: chain.payTo.toLowerCase(),
    network,
    asset: chain.token.toLowerCase(),
    confirmations: 1,
    share_percent: 75,
    free_reads_left: 0,
    balance: null,
  });
  const amount = String(Math.round(pricing.price * 1_000_000));
  expect(accepts).toMatchObject([{ scheme: 'exact', network: 'base-sepolia', maxAmountRequired: amount }]);
  expect(decode(headers['payment-required'])).toMatchObject({
    x402Version: 2,
    resource: { url: 'http://localhost:8420/api/v1/orgs/queries/credential' },
    accepts: [
      {
        scheme: 'exact',
        network,
        amount,
        payTo: chain.payTo.toLowerCase(),
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  });
});

test('the terms describe the endpoint for catalogues of paid endpoints, as their own schema says', async () => {
  const { headers } = await sendRead({});
  const terms = decode(headers['payment-required']) as {
    readonly extensions: {
      readonly bazaar: { readonly info: { readonly input: object }; readonly schema: object };
    };
  };
  const { bazaar } = terms.extensions;
  expect(bazaar.info.input).toMatchObject({ method: 'POST', body: { data_type: 'archetype' } });
  expect(JSON.stringify(bazaar)).not.toContain(aliases[0]);
  const check = new Ajv2020().compile(bazaar.schema);
  expect([check(bazaar.info), check.errors]).toEqual([true, null]);
  expect(check({ ...bazaar.info, input: { ...bazaar.info.input, method: 'GET' } })).toBe(false);
});

test('a payment that is not accepted gets the terms again, and the reason', async () => {
  const payment = await signPayment(chain, await chain.createPayer(), { value: 1n, chainId: 84_532 });
  const { status, body, headers } = await sendRead(buildPaymentHeader(payment));
  expect([status, body.code]).toEqual([402, 'payment_underpaid']);
  expect(decode(headers['payment-required'])).toMatchObject({
    error: 'payment_underpaid',
    accepts: [{ network }],
  });
});

test('the same payment five times at once is one read and one charge, and all may have the result', async () => {
  const [payer, before] = [await chain.createPayer(), await countEffects()];
  const value = await readPrice();
  const headers = buildPaymentHeader(await signPayment(chain, payer, { value, chainId: 84_532 }));
  const replies = await Promise.all(Array.from({ length: 5 }, () => sendRead(headers)));
  expect(replies.map(({ status }) => status).filter((status) => status !== 503 && status !== 200)).toEqual(
    [],
  );
  const { body } = await sendRead(headers);
  const results = replies.filter(({ status }) => status === 200);
  expect(results.map((reply) => reply.body)).toEqual(results.map(() => body));
  const after = await countEffects();
  expect([after.reads - before.reads, after.received - before.received]).toEqual([1, value]);
});

test('a payment for one member does not read another, nor another kind of data', async () => {
  const before = await countEffects();
  const value = await readPrice();
  const payment = await signPayment(chain, await chain.createPayer(), { value, chainId: 84_532 });
  expect((await sendRead(buildPaymentHeader(payment))).status).toBe(200);
  const edited = buildPaymentHeader(payment, { extra: { member: aliases[1] } });
  for (const headers of [buildPaymentHeader(payment), edited]) {
    expect((await sendRead(headers, aliases[1])).body.code).toBe('payment_already_used');
    expect((await sendRead(headers, aliases[0], 'trait_profile')).body.code).toBe('payment_already_used');
  }
  expect((await countEffects()).reads - before.reads).toBe(1);
});

test('a transfer from a wallet of the organisation reads, by its hash in either header', async () => {
  const payer = await chain.createPayer();
  await bindWallet(app, org.token, payer);
  for (const header of ['payment-signature', 'x-payment']) {
    const tx_hash = await chain.sendFrom(payer, chain.token, 'transfer', [chain.payTo, await readPrice()]);
    app.clock.set(new Date());
    const timestamp = Math.floor(Date.now() / 1000);
    const { status, body, headers } = await sendRead({ [header]: encodeJson({ tx_hash, timestamp }) });
    expect([status, body.query_metadata.payment_type]).toEqual([200, 'x402']);
    expect(decode(headers['payment-response'])).toMatchObject({ success: true, transaction: tx_hash });
  }
});

describe('a payment that cannot be read is refused', () => {
  const authorization = {
    from: `0x${'11'.repeat(20)}`,
    to: `0x${'22'.repeat(20)}`,
    value: '50000',
    validAfter: '0',
    validBefore: '9999999999',
    nonce: `0x${'33'.repeat(32)}`,
  };
  const payload = { signature: `0x${'44'.repeat(65)}`, authorization };
  const accepted = { scheme: 'exact', network, asset: `0x${'55'.repeat(20)}`, payTo: authorization.to };
  test.each([
    ['no base64', '!!'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['no object', encodeJson([])],
    ['neither kind', encodeJson({})],
    ['an unknown version', encodeJson({ x402Version: 3, accepted, payload })],
    ['no terms', encodeJson({ x402Version: 2, payload })],
    [
      'an amount that is a number',
      encodeJson({
        x402Version: 2,
        accepted,
        payload: { ...payload, authorization: { ...authorization, value: 50_000 } },
      }),
    ],
    [
      'a negative amount',
      encodeJson({
        x402Version: 2,
        accepted,
        payload: { ...payload, authorization: { ...authorization, value: '-1' } },
      }),
    ],
    [
      'a short nonce',
      encodeJson({
        x402Version: 2,
        accepted,
        payload: { ...payload, authorization: { ...authorization, nonce: '0x33' } },
      }),
    ],
    [
      'a short signature',
      encodeJson({ x402Version: 2, accepted, payload: { ...payload, signature: '0x44' } }),
    ],
    ['a timestamp that is text', encodeJson({ tx_hash: `0x${'66'.repeat(32)}`, timestamp: '1' })],
    ['further fields', encodeJson({ tx_hash: `0x${'66'.repeat(32)}`, timestamp: 1, amount: 1 })],
    ['too many characters', 'A'.repeat(8_193)],
  ])('with %s', async (_, header) => {
    for (const name of ['payment-signature', 'x-payment'])
      expect((await sendRead({ [name]: header })).body).toMatchObject({
        status: 400,
        code: 'malformed_payment',
      });
  });

  test('with both headers', async () => {
    const header = encodeJson({ tx_hash: `0x${'66'.repeat(32)}`, timestamp: 1 });
    const { body } = await sendRead({ 'payment-signature': header, 'x-payment': header });
    expect(body.code).toBe('malformed_payment');
  });

  test('with another way to move the token', async () => {
    const header = encodeJson({
      x402Version: 2,
      accepted,
      payload: { signature: payload.signature, permit2Authorization: {} },
    });
    expect((await sendRead({ 'payment-signature': header })).body.code).toBe('payment_scheme_unsupported');
  });
});

function decode(header: unknown): unknown {
  return JSON.parse(Buffer.from(String(header), 'base64').toString());
}

async function readPrice(): Promise<bigint> {
  const { body } = await sendRead({});
  return BigInt(body.accepts[0].maxAmountRequired);
}
