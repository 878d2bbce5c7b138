import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Refusal } from '#lib/refusal.ts';
import { reconcilePayments } from '#modules/income/payments';
import { startChain, type TestChain } from '#test/chain/start-chain.ts';
import type { TestApp } from '#test/harness.ts';
import { runTask } from '#test/modules/matching.ts';
import { answerTruly, startFacilitator, type TestFacilitator } from '#test/payments/facilitator-server.ts';
import {
  buildPaymentHeader,
  buildPaidRead,
  payByHeaders,
  listStates,
  signPayment,
  startPaidApp,
} from '#test/modules/payments.ts';

let chain: TestChain;
let facilitator: TestFacilitator;
let app: TestApp;
beforeAll(async () => {
  chain = await startChain();
  facilitator = await startFacilitator(chain);
  app = await startPaidApp(chain, { TESSERA_EVM_FACILITATOR_URL: `${facilitator.url}/` });
});
beforeEach(() => {
  app.clock.set(new Date());
  facilitator.reply = answerTruly;
  facilitator.questions.length = 0;
});

/** A payment that nobody has presented. */
async function preparePayment() {
  const payer = await chain.createPayer();
  return { payer, headers: buildPaymentHeader(await signPayment(chain, payer)), read: buildPaidRead() };
}

/** Answers `verify` truly and `settle` in another way: after the payment was carried out, or without. */
function replaceSettling(reply: TestFacilitator['reply'], { carriesOut }: { readonly carriesOut: boolean }) {
  facilitator.reply = async (response, question) => {
    if (question.step === 'verify') return answerTruly(response, question);
    if (carriesOut) await question.carryOut();
    return reply(response, question);
  };
}

const answerJson =
  (value: object): TestFacilitator['reply'] =>
  (response) =>
    response.end(JSON.stringify(value));

test('a facilitator of another party carries the payment out', async () => {
  const { payer, headers, read } = await preparePayment();
  expect((await payByHeaders(app, headers, read)).kind).toBe('settled');
  expect(facilitator.questions.map(({ step }) => step)).toEqual(['verify', 'settle']);
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

/** Answers from which nothing can be known. */
const uselessAnswers: Readonly<Record<string, TestFacilitator['reply']>> = {
  'no answer': (response) => response.destroy(),
  'half an answer': (response) =>
    response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
  'the page of a proxy': (response) => response.writeHead(502).end('<html>'),
  'an answer without sense': answerJson({ success: 'yes' }),
  'an answer without end': answerJson({ filler: 'x'.repeat(200_000) }),
  'the answer that it is pending': answerJson({
    success: false,
    errorReason: 'settlement_pending',
    transaction: '',
  }),
  'a success without a transaction': answerJson({ success: true, transaction: 'none' }),
};

describe.each(Object.entries(uselessAnswers))('attack 6: after %s', (_, reply) => {
  test('a payment that was carried out is settled by what the chain shows', async () => {
    const { payer, headers, read } = await preparePayment();
    replaceSettling(reply, { carriesOut: true });
    for (const time of ['first', 'again'])
      expect([time, (await payByHeaders(app, headers, read)).kind]).toEqual([time, 'settled']);
    expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  });

  test('a payment of which nothing is known is not asked for again, and the same payment settles it', async () => {
    const { payer, headers, read } = await preparePayment();
    replaceSettling(reply, { carriesOut: false });
    await expect(payByHeaders(app, headers, read)).rejects.toMatchObject({
      code: 'payment_unresolved',
      extras: { headers: { 'retry-after': expect.any(String) } },
    });
    expect(await listStates(app, read)).toEqual(['unknown']);
    facilitator.reply = answerTruly;
    expect((await payByHeaders(app, headers, read)).kind).toBe('settled');
    expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
  });
});

test('a facilitator that wrongly says that nothing was sent is not believed', async () => {
  const { payer, headers, read } = await preparePayment();
  replaceSettling(answerJson({ success: false, errorReason: 'timeout', transaction: '' }), {
    carriesOut: true,
  });
  expect((await payByHeaders(app, headers, read)).kind).toBe('settled');
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

test('a facilitator that wrongly says that it has paid is not believed', async () => {
  const { headers, read } = await preparePayment();
  const other = await preparePayment();
  const { payment } = await payByHeaders(app, other.headers, other.read);
  replaceSettling(answerJson({ success: true, transaction: payment.transaction }), { carriesOut: false });
  // The transaction is real, but of another payment. The wait for the right one is as long as for confirmations.
  await expect(payByHeaders(app, headers, read)).rejects.toMatchObject({ code: 'payment_unresolved' });
  expect(await listStates(app, read)).toEqual(['unknown']);
});

describe.each([true, false])(
  'a facilitator that says of every payment that its validity is %s',
  (isValid) => {
    /** It settles nothing either. */
    const answerWrongly = () => {
      const failed = { success: false, errorReason: 'nonce_used', transaction: '' };
      facilitator.reply = (response, { step }) =>
        response.end(JSON.stringify(step === 'verify' ? { isValid } : failed));
    };

    /** A payment to the service that its payer has sent to the chain, and that nobody has presented. */
    async function createUnpresented() {
      const payer = await chain.createPayer();
      const payment = await signPayment(chain, payer);
      const { signature, authorization } = readPayload(buildPaymentHeader(payment));
      await chain.sendFrom(payer, chain.token, 'transferWithAuthorization', [
        ...['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'].map((name) => authorization[name]),
        signature,
      ]);
      answerWrongly();
      return { payer, payment };
    }

    test('does not let anyone use what they have seen on the chain: it must be signed by its payer as it is presented', async () => {
      const { payer, payment } = await createUnpresented();
      const thief = await chain.createPayer();
      const { nonce } = payment.fields;
      const later = { nonce, validBefore: payment.fields.validBefore + 3_600n };
      const forgeries = [
        // The payer, the nonce and the amount are public.
        await signPayment(chain, thief, { nonce }, payer.address),
        { ...(await signPayment(chain, thief, later, payer.address)), signature: payment.signature },
      ];
      for (const forged of forgeries) {
        const read = buildPaidRead();
        const taking = payByHeaders(app, buildPaymentHeader(forged), read);
        await expect(taking).rejects.toMatchObject({ code: 'payment_signature_invalid' });
        expect(await listStates(app, read)).toEqual([]);
      }
    });

    test('does not stop the payer, whose signature is right', async () => {
      const { payment } = await createUnpresented();
      expect((await payByHeaders(app, buildPaymentHeader(payment), buildPaidRead())).kind).toBe('settled');
    });

    test('does not stop a wallet that is a contract', async () => {
      const owner = await chain.createPayer();
      const wallet = await chain.deployWallet(owner.address);
      await chain.mint(wallet, 1_000_000n);
      const payment = await signPayment(chain, owner, {}, wallet);
      const { signature, authorization } = readPayload(buildPaymentHeader(payment));
      await chain.sendFrom(owner, chain.token, 'transferWithAuthorization', [
        ...['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'].map((name) => authorization[name]),
        signature,
      ]);
      answerWrongly();
      expect((await payByHeaders(app, buildPaymentHeader(payment), buildPaidRead())).kind).toBe('settled');
      const thief = await signPayment(chain, await chain.createPayer(), {}, wallet);
      await expect(payByHeaders(app, buildPaymentHeader(thief), buildPaidRead())).rejects.toMatchObject({
        code: 'payment_signature_invalid',
      });
    });
  },
);

test('an attempt that lasts longer than its right does not end what another attempt is settling', async () => {
  const { payer, headers, read } = await preparePayment();
  let release: (() => void) | undefined;
  let hasAsked: (() => void) | undefined;
  const asked = new Promise<void>((resolve) => (hasAsked = resolve));
  // The first attempt gets its answer, that nothing was sent, after the second one has begun and before it ends.
  facilitator.reply = async (response, question) => {
    if (question.step === 'verify') return answerTruly(response, question);
    facilitator.reply = (second) => {
      release!();
      return first.then(() =>
        answerJson({ success: false, errorReason: 'timeout', transaction: '' })(second, question),
      );
    };
    const released = new Promise<void>((resolve) => (release = resolve));
    hasAsked!();
    await released;
    return answerJson({ success: false, errorReason: 'timeout', transaction: '' })(response, question);
  };
  const first = payByHeaders(app, headers, read).catch((error: unknown) => error);
  await asked;
  app.clock.advance(46_000);
  const second = payByHeaders(app, headers, read).catch((error: unknown) => error);
  expect(await first, 'nobody is asked to pay again').toMatchObject({ code: 'payment_unresolved' });
  expect(await second).toMatchObject({ code: 'payment_unresolved' });
  expect(await listStates(app, read)).toEqual(['unknown']);
  facilitator.reply = answerTruly;
  expect((await payByHeaders(app, headers, read)).kind).toBe('settled');
  expect(await chain.readBalance(payer.address)).toBe(4_950_000n);
});

test('a payment that is refused gets a receipt that says why, and stays usable until it expires', async () => {
  const { headers, read } = await preparePayment();
  const reason = 'insufficient_funds';
  replaceSettling(answerJson({ success: false, errorReason: reason, transaction: '' }), {
    carriesOut: false,
  });
  const refusal = await payByHeaders(app, headers, read).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'payment_funds_insufficient' });
  const receipt = (refusal as Refusal).extras.headers!['payment-response']!;
  expect(JSON.parse(Buffer.from(receipt, 'base64').toString())).toMatchObject({
    success: false,
    errorReason: reason,
    transaction: '',
  });
  expect(await listStates(app, read)).toEqual(['failed']);
  facilitator.reply = answerTruly;
  expect((await payByHeaders(app, headers, read)).kind).toBe('settled');
});

test('without an answer to verify, nothing is claimed', async () => {
  const { headers, read } = await preparePayment();
  for (const reply of Object.values(uselessAnswers)) {
    facilitator.reply = reply;
    await expect(payByHeaders(app, headers, read)).rejects.toMatchObject({ code: 'chain_unavailable' });
  }
  expect(await listStates(app, read)).toEqual([]);
});

describe('the task that compares unknown payments with the chain', () => {
  const reconcile = async () => {
    app.clock.advance(61_000);
    await runTask(app, reconcilePayments, {});
  };
  async function leaveUnknown() {
    const prepared = await preparePayment();
    replaceSettling((response) => response.destroy(), { carriesOut: false });
    await payByHeaders(app, prepared.headers, prepared.read).catch(() => undefined);
    return prepared;
  }

  test('leaves a payment unknown that can still be carried out, and settles it when it was', async () => {
    const { headers, read } = await leaveUnknown();
    await reconcile();
    expect(await listStates(app, read)).toEqual(['unknown']);
    const { signature, authorization } = readPayload(headers);
    await chain.sendFrom(await chain.createPayer(), chain.token, 'transferWithAuthorization', [
      ...['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'].map((name) => authorization[name]),
      signature,
    ]);
    await reconcile();
    expect(await listStates(app, read)).toEqual(['settled']);
  });

  test('ends a payment that has expired on the chain', async () => {
    const { headers, read } = await leaveUnknown();
    const snapshot = await chain.control.snapshot();
    await chain.control.increaseTime({ seconds: 300 });
    await chain.control.mine({ blocks: 1 });
    await reconcile();
    expect(await listStates(app, read)).toEqual(['failed']);
    app.clock.advance(120_000);
    await expect(payByHeaders(app, headers, read)).rejects.toMatchObject({ code: 'payment_expired' });
    await chain.control.revert({ id: snapshot });
  });
});

function readPayload(headers: Readonly<Record<string, string>>) {
  const { payload } = JSON.parse(Buffer.from(headers['payment-signature']!, 'base64').toString());
  return payload as { readonly signature: string; readonly authorization: Readonly<Record<string, string>> };
}
