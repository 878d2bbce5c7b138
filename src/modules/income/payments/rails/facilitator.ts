import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import { LRUCache } from 'lru-cache';
import { ChainUnavailableError } from '../chain/chain-unavailable.ts';
import type { Chain, MinedTransaction } from '../chain/open-chain.ts';
import { fetchConfigured } from '#platform/outbound/fetch-configured.ts';

/** Whether a facilitator would carry out a payment. */
export type Verification = { readonly isValid: true } | { readonly isValid: false; readonly reason: string };

/** What became of a payment. `transaction` is set if one was sent. `unknown`: it may have been carried out. */
export type Settlement = {
  readonly outcome: 'settled' | 'failed' | 'unknown';
  readonly reason: string;
  readonly transaction: `0x${string}` | null;
  /** The transaction as this process has just read it from the chain. */
  readonly mined?: MinedTransaction | undefined;
};

/**
 * Carries out signed payments.
 *
 * Verify and settle are all that a facilitator does here; payments, retries and the comparison with the chain are ours.
 */
export type Facilitator = {
  /** Whether it is part of this process. What another one says is compared with the signature and the chain. */
  readonly isBuiltIn: boolean;
  /** @throws ChainUnavailableError if it gives no usable answer. */
  readonly verify: (payload: PaymentPayload, terms: PaymentRequirements) => Promise<Verification>;
  readonly settle: (payload: PaymentPayload, terms: PaymentRequirements) => Promise<Settlement>;
};

const verify_timeout_ms = 10_000;
/** Less than an attempt may take. */
const settle_timeout_ms = 30_000;
const answer_bytes_max = 100_000;

/** Creates the client of a facilitator of the x402 protocol, version 2, over HTTP. */
export function createRemoteFacilitator(url: string): Facilitator {
  const base = url.endsWith('/') ? url.slice(0, -1) : url;
  const post = async (
    step: 'verify' | 'settle',
    paymentPayload: PaymentPayload,
    paymentRequirements: PaymentRequirements,
  ) => {
    const { status, body } = await fetchConfigured(`${base}/${step}`, {
      body: JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements }),
      timeout_ms: step === 'verify' ? verify_timeout_ms : settle_timeout_ms,
      max_bytes: answer_bytes_max,
    });
    return { status, answer: parseAnswer(body) };
  };
  return {
    isBuiltIn: false,
    verify: async (payload, terms) => {
      const { answer } = await post('verify', payload, terms).catch(throwUnavailable);
      if (typeof answer['isValid'] !== 'boolean') throw new ChainUnavailableError();
      return answer['isValid']
        ? { isValid: true }
        : { isValid: false, reason: readReason(answer['invalidReason']) };
    },
    settle: async (payload, terms) => {
      try {
        const { answer } = await post('settle', payload, terms);
        return readSettlement(answer);
      } catch {
        return { outcome: 'unknown', reason: 'facilitator_timeout', transaction: null };
      }
    },
  };
}

type Answer = Readonly<Record<string, unknown>>;

function parseAnswer(text: string): Answer {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null) throw new Error('the answer is not an object');
  return answer as Answer;
}

function throwUnavailable(error: unknown): never {
  throw new ChainUnavailableError(error);
}

/** Reads a reason, which is stored and shown, so that it is one short word. */
function readReason(value: unknown): string {
  return typeof value === 'string' && /^[\w.-]{1,100}$/.test(value) ? value : 'unspecified';
}

function readSettlement(answer: Answer): Settlement {
  const transaction = readHash(answer['transaction']);
  if (answer['success'] === true && transaction !== null)
    return { outcome: 'settled', reason: 'settled', transaction };
  const reason = readReason(answer['errorReason']);
  // A transaction that was sent can still be mined, whatever the facilitator thinks of it.
  const isOver = answer['success'] === false && transaction === null && reason !== 'settlement_pending';
  return { outcome: isOver ? 'failed' : 'unknown', reason, transaction };
}

function readHash(value: unknown): `0x${string}` | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value)
    ? (value.toLowerCase() as `0x${string}`)
    : null;
}

/** Creates a facilitator in this process: the library checks and sends, with the account of `TESSERA_EVM_FACILITATOR_KEY`. */
export async function createOwnFacilitator(chain: Chain): Promise<Facilitator> {
  const { ExactEvmScheme } = await import('@x402/evm/exact/facilitator');
  const { toFacilitatorEvmSigner } = await import('@x402/evm');
  const { reader, sender } = chain;
  const mined = new LRUCache<string, MinedTransaction>({ max: 1_000 });
  if (!sender) throw new Error('TESSERA_EVM_FACILITATOR_KEY must be set');
  const client = {
    address: sender.account.address,
    readContract: (args: object) => reader.readContract(args as never),
    verifyTypedData: (args: object) => reader.verifyTypedData(args as never),
    writeContract: (args: object) => sender.writeContract(args as never),
    sendTransaction: (args: object) => sender.sendTransaction(args as never),
    waitForTransactionReceipt: async (args: object) => {
      const receipt = await reader.waitForTransactionReceipt(args as never);
      mined.set(receipt.transactionHash, chain.describeReceipt(receipt));
      return receipt;
    },
    getCode: (args: { readonly address: `0x${string}` }) => reader.getCode(args),
  };
  const signer = toFacilitatorEvmSigner(client, { confirmationTimeoutMs: settle_timeout_ms - 10_000 });
  const scheme = new ExactEvmScheme(signer);
  return {
    isBuiltIn: true,
    verify: async (payload, terms) => {
      const faults = chain.countFaults();
      const { isValid, invalidReason } = await scheme.verify(payload, terms).catch(throwUnavailable);
      if (isValid) return { isValid };
      // The library reports a node that does not answer as an invalid payment.
      if (chain.countFaults() > faults) throw new ChainUnavailableError();
      return { isValid, reason: readReason(invalidReason) };
    },
    settle: async (payload, terms) => {
      const faults = chain.countFaults();
      const settlement = await scheme
        .settle(payload, terms)
        .then((answer) => readSettlement(answer as unknown as Answer))
        .catch((): Settlement => ({ outcome: 'unknown', reason: 'facilitator_failed', transaction: null }));
      // The fault may have come after the transaction was sent.
      if (settlement.outcome === 'failed' && chain.countFaults() > faults)
        return { ...settlement, outcome: 'unknown' };
      const { transaction } = settlement;
      return { ...settlement, mined: transaction === null ? undefined : mined.get(transaction) };
    },
  };
}
