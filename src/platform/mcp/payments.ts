import type { Refusal } from '#lib/refusal.ts';
import type { Receipt, SentPayment } from '#platform/operation.ts';
import type { ToolCall, ToolOutcome } from './tool-call.ts';
import { payment_argument } from './tool-row.ts';

/** Where the x402 protocol has the payment of a call, and the receipt of its result (x402, transports-v2/mcp.md). */
const payment_meta = 'x402/payment';
const receipt_meta = 'x402/payment-response';

/** The capability by which a client asks for the form of the x402 protocol, in `extensions` or `experimental`. */
const x402_capability = 'x402';

/** Where revision 2026-07-28 has the capabilities of the client, in the metadata of each request. */
const capabilities_meta = 'io.modelcontextprotocol/clientCapabilities';

/**
 * The JSON-RPC code of a call without payment. The specification of this service names it. Revision 2026-07-28 of MCP keeps codes from -32000
 * to -32019 for older servers, so `data.type` says what it means (docs/decisions/agents.md).
 */
const payment_required = -32_000;

/** Separates the payment from the other arguments. With both, the argument counts. */
export function takePayment(
  tool: string,
  call: ToolCall,
): { readonly fields: Readonly<Record<string, unknown>>; readonly sent: SentPayment } {
  const { [payment_argument]: argument = call.meta[payment_meta], ...fields } = call.arguments;
  return { fields, sent: { resource: `mcp://tool/${tool}`, ...(argument !== undefined && { argument }) } };
}

/** Reads the receipt, which is JSON in base64, for the metadata of the result. */
export function readReceipt({ value }: Receipt): Readonly<Record<string, unknown>> {
  return { [receipt_meta]: JSON.parse(Buffer.from(value, 'base64').toString()) as unknown };
}

/** Says what a call costs and how to pay: as an error of the protocol, or as clients of x402 expect it. */
export function buildPaymentDemand(refusal: Refusal, terms: object, call: ToolCall): ToolOutcome {
  const required = readRequired(refusal);
  if (isX402Client(call) && required !== undefined) {
    const text = JSON.stringify(required);
    const members = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text},"isError":true`;
    return { kind: 'result', members, outcome: 'unpaid' };
  }
  const data = {
    type: 'payment_required',
    code: refusal.code,
    ...terms,
    ...(required !== undefined && { payment_required: required }),
    what_to_do: `Pay the price, then call the tool again with the same arguments and the payment as ${payment_argument}.`,
    request_id: call.facts.id,
  };
  return {
    kind: 'error',
    error: { code: payment_required, message: refusal.message, data },
    outcome: 'unpaid',
  };
}

/** The terms of version 2 of x402, which HTTP has in the header `PAYMENT-REQUIRED`. */
function readRequired({ extras }: Refusal): unknown {
  const header = extras.headers?.['payment-required'];
  return header === undefined ? undefined : (JSON.parse(Buffer.from(header, 'base64').toString()) as unknown);
}

/** A client that pays by `_meta` knows the form as well. */
function isX402Client({ meta }: ToolCall): boolean {
  if (Object.hasOwn(meta, payment_meta)) return true;
  const capabilities = toObject(meta[capabilities_meta]);
  return [capabilities['extensions'], capabilities['experimental']].some((each) =>
    Object.hasOwn(toObject(each), x402_capability),
  );
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
