import type { CallerPair } from './callers.ts';

/** Requests as users send them, by name. */
export type RequestName =
  | 'updateProfile'
  | 'createJob'
  | 'issueCredential'
  | 'verifyCredential'
  | 'toolCall'
  | 'formerToolCall';

/** Writes the request that a turn sends. Turns differ in their callers, and the same caller comes back with another body. */
export type WriteRequest = (turn: number) => string;

type Senders = {
  readonly callers: readonly CallerPair[];
  /** The tokens of agents that may read their members' profiles. */
  readonly agentTokens: readonly string[];
  /** Signs a credential that nobody has verified yet. */
  readonly signToken: () => string;
};

/** Builds the requests of these callers, agents and verifiers. */
export function buildRealRequests({
  callers,
  agentTokens,
  signToken,
}: Senders): Readonly<Record<RequestName, WriteRequest>> {
  const select = (turn: number) => callers[turn % callers.length]!;
  const selectAgent = (turn: number) => agentTokens[turn % agentTokens.length]!;
  return {
    updateProfile: (turn) =>
      writeRequest('PUT', '/api/v1/members/me/profile', select(turn).member_token, {
        current_industry: 'Health care',
        years_experience: (turn + Math.floor(turn / callers.length)) % 80,
        education_level: 'bachelors',
        location_country: 'AU',
      }),
    createJob: (turn) =>
      writeRequest('POST', '/api/v1/orgs/me/jobs', select(turn).token, {
        title: `Nurse ${turn}`,
        outcome_description: 'Patients who are cared for, day and night.',
        trait_priorities: { exploratory_curiosity: 0.8, persistence: 0.5, accountability: 1 },
      }),
    issueCredential: (turn) =>
      writeRequest('POST', '/api/v1/credentials/issue', select(turn).member_token, {
        credential_type: 'trait_attestation',
        claims: { trait_coverage: 0.9 },
      }),
    verifyCredential: () => writeRequest('GET', `/api/v1/credentials/verify?token=${signToken()}`, undefined),
    toolCall: (turn) => writeToolCall('2026-07-28', selectAgent(turn)),
    formerToolCall: (turn) => writeToolCall('2025-11-25', selectAgent(turn)),
  };
}

function writeToolCall(revision: string, token: string): string {
  const isModern = revision === '2026-07-28';
  const envelope = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = { name: 'read_profile', arguments: {}, ...(isModern && { _meta: envelope }) };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  return writeRequest('POST', '/mcp', token, message, [
    'accept: application/json, text/event-stream',
    `mcp-protocol-version: ${revision}`,
    ...(isModern ? ['mcp-method: tools/call', 'mcp-name: read_profile'] : []),
  ]);
}

function writeRequest(
  method: string,
  target: string,
  token: string | undefined,
  body?: object,
  headers: readonly string[] = [],
): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const all = [
    'host: localhost',
    ...(token ? [`authorization: Bearer ${token}`] : []),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`] : []),
    ...headers,
  ];
  return `${method} ${target} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${text}`;
}
