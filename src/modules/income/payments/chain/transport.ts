import { custom, RpcRequestError, type CustomTransport } from 'viem';
import { fetchConfigured } from '#platform/outbound/fetch-configured.ts';
import { ChainUnavailableError } from './chain-unavailable.ts';

const request_timeout_ms = 10_000;
const response_bytes_max = 2_000_000;

type Call = { readonly method: string; readonly params?: unknown };

/**
 * Creates a transport of viem that speaks JSON-RPC with the operator's node, within limits of time and bytes. `onFault` is called for every failure of the
 * node itself, in contrast to an answer that is an error: libraries above may turn both into the same thing.
 */
export function createTransport(rpcUrl: string, onFault: () => void): CustomTransport {
  let id = 0;
  const request = async ({ method, params = [] }: Call) => {
    const body = { jsonrpc: '2.0', id: ++id, method, params };
    const answer = await callNode(rpcUrl, JSON.stringify(body)).catch((error: unknown) => {
      onFault();
      throw new ChainUnavailableError(error);
    });
    // The URL can contain a key, and viem writes it into messages.
    if (answer.error) throw new RpcRequestError({ body, error: answer.error, url: 'node' });
    return answer.result;
  };
  return custom({ request }, { retryCount: 0 });
}

type Answer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

async function callNode(rpcUrl: string, body: string): Promise<Answer> {
  const limits = { timeout_ms: request_timeout_ms, max_bytes: response_bytes_max };
  const { status, body: text } = await fetchConfigured(rpcUrl, { body, ...limits });
  const answer = JSON.parse(text) as Answer | null;
  // Some nodes send an error of JSON-RPC with a status of HTTP. Without one, the status speaks of the node itself.
  if (typeof answer !== 'object' || answer === null || (status !== 200 && answer.error === undefined))
    throw new Error(`the node answered with status ${status}`);
  if (answer.error === undefined && !('result' in answer))
    throw new Error('the node answered without a result');
  return answer;
}
