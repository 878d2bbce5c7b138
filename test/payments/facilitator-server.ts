import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { openChain } from '../../src/modules/income/payments/chain/open-chain.ts';
import { createOwnFacilitator } from '../../src/modules/income/payments/rails/facilitator.ts';
import { cleanUpAfterFile } from '../clean-up.ts';
import type { TestChain } from '../chain/start-chain.ts';

/** What a facilitator is asked. `carryOut` does it, and returns the true answer. */
export type Question = { readonly step: 'verify' | 'settle'; readonly carryOut: () => Promise<object> };

export type TestFacilitator = {
  readonly url: string;
  readonly questions: Question[];
  /** Answers; by default with what is true. It may also say nothing, or something else. */
  reply: (response: ServerResponse, question: Question) => unknown;
};

/** Does what was asked, and says so. */
export const answerTruly: TestFacilitator['reply'] = async (response, { carryOut }) =>
  response.end(JSON.stringify(await carryOut()));

/** Starts a facilitator over HTTP that carries payments out on the chain. Closed after the test file. */
export async function startFacilitator(chain: TestChain): Promise<TestFacilitator> {
  const opened = openChain(
    {
      rpcUrl: chain.url,
      chainId: 31_337,
      asset: chain.token,
      payTo: chain.payTo,
      confirmations: 1,
    },
    chain.facilitatorKey,
  );
  const own = await createOwnFacilitator(opened);
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const part of request.setEncoding('utf8')) text += part;
    const { paymentPayload, paymentRequirements } = JSON.parse(text);
    const step = request.url === '/verify' ? 'verify' : 'settle';
    const question = { step, carryOut: () => answer(step, paymentPayload, paymentRequirements) } as const;
    facilitator.questions.push(question);
    await facilitator.reply(response, question);
  };
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterFile(() => {
    server.close();
    server.closeAllConnections();
  });
  const facilitator: TestFacilitator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    questions: [],
    reply: answerTruly,
  };
  return facilitator;

  async function answer(
    step: Question['step'],
    payload: PaymentPayload,
    terms: PaymentRequirements,
  ): Promise<object> {
    if (step === 'verify') {
      const verified = await own.verify(payload, terms);
      return verified.isValid ? verified : { isValid: false, invalidReason: verified.reason };
    }
    const { outcome, reason, transaction } = await own.settle(payload, terms);
    return {
      success: outcome === 'settled',
      errorReason: reason,
      transaction: transaction ?? '',
      network: 'eip155:31337',
    };
  }
}
