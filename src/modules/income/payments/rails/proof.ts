import { Refusal } from '#lib/refusal.ts';
import type { SentPayment } from '#platform/operation.ts';

/**
 * A payment as a client presents it: the hash of a transaction that it made, a signed authorisation of the x402 protocol, or a key for a payment from the
 * prepaid balance.
 */
export type PaymentProof = HashProof | X402Proof | BalanceProof;

/** `{tx_hash, timestamp}`, for the rails `mock` and `transfer`. The timestamp is in Unix seconds. */
export type HashProof = { readonly kind: 'hash'; readonly tx_hash: string; readonly timestamp: number };

/**
 * `{balance_key, max_price}`, for the rail `balance`. The client chooses the key, which pays once for its organisation, as the hash of a transaction does.
 * The price in US dollars must not be above `max_price`, which may be left out.
 */
export type BalanceProof = {
  readonly kind: 'balance';
  readonly balance_key: string;
  readonly max_price: number | undefined;
};

/** A signed authorisation. `terms` are those that the client says it accepted; version 1 has only scheme and network. */
export type X402Proof = {
  readonly kind: 'x402';
  readonly version: 1 | 2;
  readonly terms: {
    readonly scheme: string;
    readonly network: string;
    readonly asset: string | null;
    readonly pay_to: string | null;
  };
  readonly signature: `0x${string}`;
  readonly authorization: Authorization;
};

/** An authorisation of ERC-3009 (TransferWithAuthorization): who pays whom how much, when, and by which nonce it is known. */
export type Authorization = {
  readonly from: `0x${string}`;
  readonly to: `0x${string}`;
  readonly value: bigint;
  /** In Unix seconds. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
  readonly nonce: `0x${string}`;
};

const header_length_max = 8_192;

/**
 * Reads the payment of a request: `PAYMENT-SIGNATURE` (x402 version 2) or `X-PAYMENT` (version 1), JSON in base64, or the argument of a tool.
 * On the rails `mock` and `transfer` it is `{"tx_hash", "timestamp"}`, on the rail `balance` `{"balance_key", "max_price"}`.
 *
 * @returns null if the request has no payment.
 * @throws Refusal `malformed_payment`.
 */
export function readPaymentProof(sent: SentPayment): PaymentProof | null {
  const { 'payment-signature': signature, 'x-payment': payment, argument } = sent;
  if (argument !== undefined) return parsePaymentArgument(argument);
  if (signature !== undefined && payment !== undefined)
    throw refuse('has both PAYMENT-SIGNATURE and X-PAYMENT; send one of them');
  const text = signature ?? payment;
  if (text === undefined) return null;
  return parsePaymentArgument(decodeHeader(text));
}

/**
 * Reads a payment from a JSON value: `_payment` in the arguments of a tool, or `_meta["x402/payment"]`.
 *
 * @throws Refusal `malformed_payment`.
 */
export function parsePaymentArgument(value: unknown): PaymentProof {
  const fields = requireObject(value, 'is not an object');
  if ('tx_hash' in fields) return readHashProof(fields);
  if ('balance_key' in fields) return readBalanceProof(fields);
  const version = fields['x402Version'];
  if (version !== 1 && version !== 2)
    throw refuse('has no tx_hash, no balance_key and no x402Version that is 1 or 2');
  return version === 1 ? readVersion1(fields) : readVersion2(fields);
}

function decodeHeader(text: string): unknown {
  if (text.length > header_length_max) throw refuse(`is longer than ${header_length_max} characters`);
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) throw refuse('is not base64');
  try {
    return JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
  } catch {
    throw refuse('is not JSON in base64');
  }
}

function readHashProof({ tx_hash, timestamp, ...others }: Fields): HashProof {
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw refuse('has fields besides tx_hash and timestamp');
  if (typeof tx_hash !== 'string' || !/^[!-~]{1,128}$/.test(tx_hash))
    throw refuse('has a tx_hash that is not text of 1 to 128 visible ASCII characters');
  if (!Number.isSafeInteger(timestamp) || (timestamp as number) < 0)
    throw refuse('has a timestamp that is not a whole number of Unix seconds');
  // Hexadecimal digits may be written in either case.
  return { kind: 'hash', tx_hash: tx_hash.toLowerCase(), timestamp: timestamp as number };
}

function readBalanceProof({ balance_key, max_price, ...others }: Fields): BalanceProof {
  if (Object.keys(others).length > 0) throw refuse('has fields besides balance_key and max_price');
  if (typeof balance_key !== 'string' || !/^[!-~]{1,128}$/.test(balance_key))
    throw refuse('has a balance_key that is not text of 1 to 128 visible ASCII characters');
  if (max_price !== undefined && (typeof max_price !== 'number' || !(max_price > 0)))
    throw refuse('has a max_price that is not a number above zero');
  return { kind: 'balance', balance_key, max_price };
}

function readVersion1(fields: Fields): X402Proof {
  const terms = {
    scheme: requireText(fields['scheme'], 'scheme'),
    network: requireText(fields['network'], 'network'),
    asset: null,
    pay_to: null,
  };
  return { kind: 'x402', version: 1, terms, ...readExactPayload(fields['payload']) };
}

function readVersion2(fields: Fields): X402Proof {
  const accepted = requireObject(fields['accepted'], 'has no accepted terms');
  const terms = {
    scheme: requireText(accepted['scheme'], 'accepted.scheme'),
    network: requireText(accepted['network'], 'accepted.network'),
    asset: requireText(accepted['asset'], 'accepted.asset'),
    pay_to: requireText(accepted['payTo'], 'accepted.payTo'),
  };
  return { kind: 'x402', version: 2, terms, ...readExactPayload(fields['payload']) };
}

function readExactPayload(value: unknown): Pick<X402Proof, 'signature' | 'authorization'> {
  const payload = requireObject(value, 'has no payload');
  // Other ways to move the token, such as Permit2, have no authorisation.
  if (payload['authorization'] === undefined) throw new Refusal('payment_scheme_unsupported');
  const signed = requireObject(payload['authorization'], 'has no payload.authorization');
  return {
    // Signatures of contract wallets can be long.
    signature: requireHex(payload['signature'], 'payload.signature', { least: 65, most: 2_048 }),
    authorization: {
      from: requireAddress(signed['from'], 'payload.authorization.from'),
      to: requireAddress(signed['to'], 'payload.authorization.to'),
      value: requireInteger(signed['value'], 'payload.authorization.value'),
      validAfter: requireInteger(signed['validAfter'], 'payload.authorization.validAfter'),
      validBefore: requireInteger(signed['validBefore'], 'payload.authorization.validBefore'),
      nonce: requireHex(signed['nonce'], 'payload.authorization.nonce', { least: 32, most: 32 }),
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function requireObject(value: unknown, fault: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse(fault);
  return value as Fields;
}

function requireText(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^[!-~]{1,100}$/.test(value))
    throw refuse(`has a field ${name} that is not text of 1 to 100 visible ASCII characters`);
  return value;
}

/** Reads hexadecimal bytes, which have one spelling here: lower case. */
function requireHex(
  value: unknown,
  name: string,
  { least, most }: { readonly least: number; readonly most: number },
): `0x${string}` {
  const bytes = typeof value === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(value) ? value.length / 2 - 1 : -1;
  if (bytes < least || bytes > most)
    throw refuse(`has a field ${name} that is not ${least} to ${most} bytes in hexadecimal with 0x`);
  return (value as string).toLowerCase() as `0x${string}`;
}

function requireAddress(value: unknown, name: string): `0x${string}` {
  return requireHex(value, name, { least: 20, most: 20 });
}

/** Reads an unsigned integer of at most 256 bits, which JSON carries as text. */
function requireInteger(value: unknown, name: string): bigint {
  if (typeof value !== 'string' || !/^(0|[1-9]\d{0,77})$/.test(value))
    throw refuse(`has a field ${name} that is not a whole number as text`);
  return BigInt(value);
}

function refuse(fault: string): Refusal {
  return new Refusal('malformed_payment', { detail: `The payment ${fault}.` });
}
