import { randomUUID } from 'node:crypto';
import { setImmediate as pauseForIo } from 'node:timers/promises';
import type { PaymentPayload } from '@x402/core/types';
import { Refusal } from '#lib/refusal.ts';
import { instanceMemory, serviceDatabase } from '#platform/instance-memory.ts';
import type { ChainSettings } from '#platform/config.ts';
import type { Services } from '#platform/platform.ts';
import { openSharedChain, type Chain } from '../chain/chain.ts';
import { findEarlierPayment, openPayment, type NewPaidRead } from '../open-payment.ts';
import { findPayment, startAttempt } from '../store.ts';
import type { X402Proof } from './proof.ts';
import { attempt_seconds, buildPayment, continuePayment, type NewPayment, type Payment } from '../rules.ts';
import { findWalletOwner } from '../wallets/store.ts';
import { isSignedByPayer } from './check-signature.ts';
import {
  createOwnFacilitator,
  createRemoteFacilitator,
  type Facilitator,
  type Settlement,
} from './facilitator.ts';
import { refuseUnavailable } from '../chain/chain-unavailable.ts';
import { refuseUnresolved } from '../end-payment.ts';
import { concludeAttempt, findMinedTransfer } from './settle-on-chain.ts';
import { buildAuthorizationKey, buildRequirements, formatNetwork, type TermsOf } from './terms.ts';
import { findFaultInTerms, mayBeMined, toRefusalCode } from './x402-rules.ts';

/** What the steps of one payment share. */
type Attempt = {
  readonly services: Services;
  readonly settings: ChainSettings;
  readonly chain: Chain;
  readonly facilitator: Facilitator;
  readonly proof: X402Proof;
  readonly read: NewPaidRead;
};

/**
 * Claims a signed payment of the x402 protocol, and has it carried out. In this order: the terms, an earlier payment of the same payment, the wallet,
 * the facilitator's verification, the payment, the settlement, the transfer as the chain shows it.
 *
 * @returns a payment that is settled or recorded.
 * @throws Refusal as `takePayment` does.
 */
export async function takeX402Payment(
  services: Services,
  proof: X402Proof,
  read: NewPaidRead,
): Promise<Payment> {
  const settings = services.config.payments.chain!;
  const open = async () => ({
    services,
    settings,
    chain: await openSharedChain(services),
    facilitator: await openFacilitator(services),
    proof,
    read,
  });
  const key = buildKey(settings, proof);
  const earlier = await findEarlierPayment(services, [key], read, 'x402');
  if (earlier) return continueEarlier(services, open, earlier, proof);
  const fault = findFaultInTerms(proof, settings, read.price, services.now());
  if (fault) throw new Refusal(fault);
  return takeNew(await open().catch(refuseUnavailable), key);
}

async function continueEarlier(
  services: Services,
  open: () => Promise<Attempt>,
  payment: Payment,
  { authorization }: X402Proof,
): Promise<Payment> {
  // One nonce can be signed with several amounts, of which the chain carries out one.
  if (BigInt(payment.amount_micros) !== authorization.value || payment.pay_to !== authorization.to)
    throw new Refusal('payment_already_used');
  const next = continuePayment(payment, services.now());
  if (next.do === 'use') return payment;
  if (next.do === 'refuse') throw new Refusal(next.code);
  if (next.do === 'wait') throw refuseUnresolved(next.seconds);
  return settleTaken(await open().catch(refuseUnavailable), payment);
}

/**
 * Payer and nonce of every payment on a chain are public, and its end is not: without this, a facilitator that says that anything is valid, or only that it is
 * invalid, would let anyone present a payment of another organisation.
 */
async function checkSignature({ chain, settings, proof }: Attempt): Promise<void> {
  // It takes milliseconds of this thread, and the request to the facilitator should be on its way.
  await pauseForIo();
  if (!(await isSignedByPayer(chain, settings, proof).catch(refuseUnavailable)))
    throw new Refusal('payment_signature_invalid');
}

/** A signature that was seen elsewhere must not pay for another organisation, if it comes from a wallet that is known. */
async function checkWallet({ services, proof, read }: Attempt): Promise<void> {
  const owner = await findWalletOwner(serviceDatabase(services), proof.authorization.from);
  if (owner !== undefined && owner !== read.org_id) throw new Refusal('payment_wallet_foreign');
}

async function takeNew(attempt: Attempt, key: string): Promise<Payment> {
  const { services, facilitator, read } = attempt;
  const terms = await buildTerms(attempt).catch(refuseUnavailable);
  const [verification] = await Promise.all([
    facilitator.verify(buildPayload(attempt, terms), buildRequirements(terms)).catch(refuseUnavailable),
    checkWallet(attempt),
    facilitator.isBuiltIn || checkSignature(attempt),
  ]);
  if (!verification.isValid) await checkMined(attempt, verification.reason);
  const { payment, is_new } = await openPayment(
    services,
    buildSignedPayment(attempt),
    [key],
    read,
    planAttempt(services.now()),
  );
  if (!is_new) return continueEarlier(services, () => Promise.resolve(attempt), payment, attempt.proof);
  return runAttempt(attempt, payment, { mayBePending: false });
}

function planAttempt(now: Date) {
  return { now, until: new Date(now.getTime() + attempt_seconds * 1000) };
}

/**
 * Looks whether an invalid payment is one that has been carried out already: anyone who has it can send it to the chain.
 *
 * @throws Refusal the reason, if it has not.
 */
async function checkMined(attempt: Attempt, reason: string): Promise<void> {
  if (!mayBeMined(reason)) throw new Refusal(toRefusalCode(reason));
  const { chain, proof } = attempt;
  const { from, value } = proof.authorization;
  if (await findMinedTransfer(chain, toExpected(attempt)).catch(refuseUnavailable)) return;
  // Facilitators find the reason of a failed simulation only on chains that have a certain contract.
  const balance = await chain.readBalance(from).catch(refuseUnavailable);
  throw new Refusal(balance < value ? 'payment_funds_insufficient' : toRefusalCode(reason));
}

/** Has the payment carried out, unless another request does so at the moment. */
async function settleTaken(attempt: Attempt, { id, state }: Payment): Promise<Payment> {
  const { services } = attempt;
  const times = planAttempt(services.now());
  const payment = await serviceDatabase(services).transaction((tx) => startAttempt(tx, id, times));
  if (!payment) return waitForOther(services, id);
  // An earlier attempt may have sent it, and the chain may carry that out until the payment expires.
  return runAttempt(attempt, payment, { mayBePending: state === 'unknown' || state === 'settling' });
}

async function runAttempt(
  attempt: Attempt,
  payment: Payment,
  { mayBePending }: { readonly mayBePending: boolean },
): Promise<Payment> {
  const { services, facilitator } = attempt;
  const terms = await buildTerms(attempt);
  const settlement = await facilitator
    .settle(buildPayload(attempt, terms), buildRequirements(terms))
    .catch((): Settlement => ({ outcome: 'unknown', reason: 'facilitator_failed', transaction: null }));
  return concludeAttempt(services, attempt.chain, { payment, settlement, mayBePending });
}

/** Another request was faster. It has ended, or the client asks again. */
async function waitForOther(services: Services, id: string): Promise<Payment> {
  const payment = await findPayment(serviceDatabase(services), id);
  if (payment && continuePayment(payment, services.now()).do === 'use') return payment;
  throw refuseUnresolved(1);
}

async function buildTerms({ settings, chain, proof }: Attempt): Promise<TermsOf> {
  return { settings, domain: await chain.readTokenDomain(), amount: proof.authorization.value };
}

/** Builds the payload as the scheme reads it. What the client says that it accepted is not signed, so our own terms take its place. */
function buildPayload({ proof }: Attempt, terms: TermsOf): PaymentPayload {
  const { from, to, value, validAfter, validBefore, nonce } = proof.authorization;
  return {
    x402Version: 2,
    accepted: buildRequirements(terms),
    payload: {
      signature: proof.signature,
      authorization: {
        from,
        to,
        value: value.toString(),
        validAfter: validAfter.toString(),
        validBefore: validBefore.toString(),
        nonce,
      },
    },
  };
}

function toExpected({ proof: { authorization }, services }: Attempt) {
  const { from, to, value, nonce } = authorization;
  return { from, to, value, nonce, since: services.now() };
}

function buildKey(settings: ChainSettings, { authorization: { from, nonce } }: X402Proof): string {
  return buildAuthorizationKey(settings, from, nonce);
}

function buildSignedPayment({ services, settings, proof, read }: Attempt): NewPayment {
  const { from, to, value, validBefore, nonce } = proof.authorization;
  return buildPayment(randomUUID(), read, services.now(), {
    state: 'claimed',
    rail: 'x402',
    protocol_version: proof.version === 1 ? 'x402-v1' : 'x402-v2',
    amount_micros: Number(value),
    network: formatNetwork(settings),
    asset: settings.asset,
    payer: from,
    pay_to: to,
    nonce,
    valid_before: toDate(validBefore),
  });
}

/** Some clients sign payments without an end. PostgreSQL and JavaScript have a last day. */
const last_second = 4_102_444_800n;

function toDate(seconds: bigint): Date {
  return new Date(Number(seconds > last_second ? last_second : seconds) * 1000);
}

const getFacilitator = instanceMemory(() => ({ opened: undefined as Promise<Facilitator> | undefined }));

async function openFacilitator(services: Services): Promise<Facilitator> {
  const memory = getFacilitator(services);
  return (memory.opened ??= createFacilitator(services));
}

async function createFacilitator(services: Services): Promise<Facilitator> {
  const { facilitator } = services.config.payments;
  if (!facilitator) throw new Error('no facilitator is configured');
  return 'url' in facilitator
    ? createRemoteFacilitator(facilitator.url)
    : createOwnFacilitator(await openSharedChain(services));
}
