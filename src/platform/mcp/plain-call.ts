import { classifyInboundRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { ToolOutcome } from './tool-call.ts';

/** The revision of the protocol in which each request is complete by itself. */
const modern_revision = '2026-07-28';

/** The headers of a request that the protocol reads. */
export type ProtocolHeaders = {
  readonly accept?: string | undefined;
  readonly 'mcp-protocol-version'?: string | undefined;
  readonly 'mcp-method'?: string | undefined;
  readonly 'mcp-name'?: string | undefined;
};

/** A well-formed call of a tool. */
export type PlainCall = {
  readonly isModern: boolean;
  readonly id: string | number;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Readonly<Record<string, unknown>>;
};

/**
 * Reads a call of a tool that is well-formed in every respect; undefined for anything else, to which the library of the protocol replies.
 *
 * The library builds a server with streams for each request, which takes longer than a simple operation with its statements
 * (`npm run bench -- fast-paths`). It still classifies the request. `test/mcp/plain-call.test.ts` compares the replies of both.
 */
export function readPlainCall(headers: ProtocolHeaders, body: unknown): PlainCall | undefined {
  if (!isCallMessage(body)) return undefined;
  const { name, arguments: given = {}, _meta: meta = {}, ...others } = body.params;
  if (typeof name !== 'string' || !isObject(given) || !isObject(meta) || hasMembers(others)) return undefined;
  const call = { id: body.id, name, arguments: given, meta };
  const version = headers['mcp-protocol-version'];
  const { 'mcp-method': mcpMethodHeader, 'mcp-name': mcpNameHeader } = headers;
  const classified = classifyInboundRequest({
    httpMethod: 'POST',
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(mcpMethodHeader !== undefined && { mcpMethodHeader }),
    ...(mcpNameHeader !== undefined && { mcpNameHeader }),
    body,
  });
  if (classified.kind === 'modern')
    return isCompleteModernCall(headers, body, classified.classification.revision)
      ? { ...call, isModern: true }
      : undefined;
  return classified.kind === 'legacy' && isLegacyCall(headers, version, meta)
    ? { ...call, isModern: false }
    : undefined;
}

/** Whether the headers that revision 2026-07-28 requires are present. The classification has compared them with the body. */
function isCompleteModernCall(
  headers: ProtocolHeaders,
  body: CallMessage,
  revision: string | undefined,
): boolean {
  return (
    revision === modern_revision &&
    headers['mcp-protocol-version'] === revision &&
    headers['mcp-method'] === body.method &&
    headers['mcp-name'] === body.params['name']
  );
}

/** A client of an older revision must accept both kinds of reply. Metadata has forms of its own there, so only its absence is plain. */
function isLegacyCall(
  { accept = '' }: ProtocolHeaders,
  version: string | undefined,
  meta: Readonly<Record<string, unknown>>,
): boolean {
  const isKnown = version === undefined || SUPPORTED_PROTOCOL_VERSIONS.includes(version);
  return (
    isKnown &&
    !hasMembers(meta) &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream')
  );
}

type CallMessage = {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly method: 'tools/call';
  readonly params: Readonly<Record<string, unknown>>;
};

function isCallMessage(body: unknown): body is CallMessage {
  if (!isObject(body)) return false;
  const { jsonrpc, id, method, params, ...others } = body;
  const isId = typeof id === 'string' || Number.isSafeInteger(id);
  return jsonrpc === '2.0' && isId && method === 'tools/call' && isObject(params) && !hasMembers(others);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasMembers(value: object): boolean {
  return Object.keys(value).length > 0;
}

/** Writes the reply to a plain call as JSON, as the library would write it. */
export function writePlainReply(
  { id, isModern }: PlainCall,
  outcome: ToolOutcome,
  serverInfo: object,
): string {
  const tail = `"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
  if (outcome.kind === 'error') return `{"error":${JSON.stringify(outcome.error)},${tail}`;
  const meta = { ...outcome.meta, ...(isModern && { 'io.modelcontextprotocol/serverInfo': serverInfo }) };
  const rest = [
    ...(isModern ? ['"resultType":"complete"'] : []),
    ...(hasMembers(meta) ? [`"_meta":${JSON.stringify(meta)}`] : []),
  ];
  return `{"result":{${[outcome.members, ...rest].join(',')}},${tail}`;
}
