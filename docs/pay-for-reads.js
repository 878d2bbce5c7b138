// A client that pays for reads: node >= 20, and `npm install @x402/fetch @x402/evm viem`. docs/payments.md explains it.
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';

const attempts_max = 10;

/**
 * Creates a `fetch` that pays where the service asks for it.
 *
 * @param {import('viem').LocalAccount} account An account of viem, such as `privateKeyToAccount(key)`. It signs payments, and needs the
 *   token but no coins for fees.
 * @param {{ network: `${string}:${string}`, asset: string, maxAmountPerPayment: string }} limits The chain and the token in which it may
 *   pay, and how much for one read, in the smallest unit of the token.
 * @param {(request: Request) => Promise<Response>} send The `fetch` to use.
 */
export function createPayingFetch(account, { network, asset, maxAmountPerPayment }, send = fetch) {
  const client = new x402Client()
    .register('eip155:*', new ExactEvmScheme(account))
    .setSpendControls({ allowedAssets: [{ network, asset, maxAmountPerPayment }] });
  return wrapFetchWithPayment((input, init) => sendUntilKnown(new Request(input, init), send), client);
}

/**
 * With status 503, it is not known whether the payment was carried out. The same payment is sent again, and no other is signed: it is
 * never carried out twice.
 *
 * @param {Request} request
 * @param {(request: Request) => Promise<Response>} send
 */
async function sendUntilKnown(request, send) {
  for (let attempt = 1; ; attempt++) {
    const response = await send(request.clone());
    if (response.status !== 503 || attempt === attempts_max) return response;
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/**
 * Reads a member.
 *
 * @param {typeof fetch} payingFetch
 * @param {{ url: string, token: string, member_id: string, data_type: string }} order
 * @returns {Promise<{ result: unknown, receipt: unknown }>} the result, and the receipt of the payment if there was one.
 */
export async function readMember(payingFetch, { url, token, member_id, data_type }) {
  const response = await payingFetch(`${url}/api/v1/orgs/queries/credential`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ member_id, data_type }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  const result = /** @type {unknown} */ (JSON.parse(text));
  return { result, receipt: readReceipt(response) };
}

/**
 * @param {Response} response
 * @returns {unknown}
 */
function readReceipt({ headers }) {
  const receipt = headers.get('payment-response');
  return receipt === null ? null : JSON.parse(atob(receipt));
}
