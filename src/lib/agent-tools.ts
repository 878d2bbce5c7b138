import { orgRoles, type Role } from './caller.ts';

/** Whose data a tool is about: `public` tools need no login; `paid` tools are an organisation's reads of members' identity data. */
export type ToolAudience = 'public' | 'member' | 'organisation' | 'paid';

/** What a tool may do. The consent page groups tools by this. A `spend` tool pays for a read. */
export type ToolKind = 'read' | 'write' | 'spend';

/** A tool of the MCP endpoint, as the consent page and the scopes see it. How it is called is in TABLE 4, `src/tables/tools.ts`. */
export type AgentTool = {
  readonly name: ToolName;
  /** The name of the tool for people. */
  readonly title: string;
  readonly audience: ToolAudience;
  readonly kind: ToolKind;
  /**
   * The roles that may allow the tool to an agent, a part of the `who` of its operation. Platform administrators are never among them:
   * the powers of an operator are not delegated to agents. Empty for public tools, which nobody has to allow.
   */
  readonly roles: readonly Role[];
  /** What the consent page says that the agent may do. Empty for public tools. */
  readonly consent: string;
  /** Whether a client without a token asks for it. False for public tools, which need no scope, and for those that spend money. */
  readonly isDefault: boolean;
  /** The operation behind the tool. The REST row of this operation accepts a capability token that has the tool. */
  readonly operation: string;
};

type PublicRow = readonly [name: string, kind: ToolKind, operation: string, title: string];

const publicRows = [
  ['list_traits', 'read', 'traits.readTaxonomy', 'List the traits'],
  ['list_archetypes', 'read', 'archetypes.listArchetypes', 'List the archetypes'],
  ['verify_attestation', 'read', 'credentials.verifyAttestation', 'Verify a credential'],
  ['create_identity_stub', 'write', 'identity.createStub', 'Prepare an identity'],
  ['add_stub_observations', 'write', 'identity.addStubObservations', 'Add to a prepared identity'],
  ['read_identity_stub', 'read', 'identity.readStub', 'Read a prepared identity'],
] as const satisfies readonly PublicRow[];

type GrantedRow = readonly [
  name: string,
  kind: ToolKind,
  operation: string,
  title: string,
  consent: string,
  roles: readonly Role[],
];

const memberRows = [
  ['read_profile', 'read', 'members.readMember', 'Read profile', 'Read your profile', ['member']],
  ['update_profile', 'write', 'members.updateProfile', 'Update profile', 'Change your profile', ['member']],
  [
    'read_traits',
    'read',
    'traits.readTraits',
    'Read traits',
    'Read your traits and their scores',
    ['member'],
  ],
  ['read_archetype', 'read', 'archetypes.readArchetype', 'Read archetype', 'Read your archetype', ['member']],
  [
    'next_assessment_item',
    'write',
    'traits.startAssessment',
    'Get the next assessment item',
    'Start your assessment and read its questions',
    ['member'],
  ],
  [
    'answer_assessment_item',
    'write',
    'traits.answerItem',
    'Answer an assessment item',
    'Record your answers to the assessment',
    ['member'],
  ],
  ['list_matches', 'read', 'matches.listMemberMatches', 'List matches', 'Read your matches', ['member']],
  [
    'explain_match',
    'read',
    'matches.readExplanation',
    'Explain a match',
    'Read why a job and a person fit',
    ['member', ...orgRoles],
  ],
  [
    'respond_to_match',
    'write',
    'matches.respondToMatch',
    'Respond to a match',
    'Accept or decline organisations that are interested in you',
    ['member'],
  ],
  [
    'read_consent',
    'read',
    'consent.readConsent',
    'Read consents',
    'Read what you have consented to',
    ['member'],
  ],
  [
    'set_consent',
    'write',
    'consent.recordConsent',
    'Give or withdraw a consent',
    'Give and withdraw consents in your name',
    ['member'],
  ],
  [
    'list_credentials',
    'read',
    'credentials.listCredentials',
    'List credentials',
    'Read the list of your credentials',
    ['member'],
  ],
  [
    'issue_credential',
    'write',
    'credentials.issueCredential',
    'Issue a credential',
    'Issue credentials about you',
    ['member'],
  ],
  [
    'revoke_credential',
    'write',
    'credentials.revokeCredential',
    'Revoke a credential',
    'Revoke your credentials for good',
    ['member'],
  ],
  [
    'read_earnings',
    'read',
    'earnings.readEarnings',
    'Read earnings',
    'Read what you have earned',
    ['member'],
  ],
  [
    'read_legibility',
    'read',
    'earnings.readLegibility',
    'Read legibility',
    'Read how complete your identity is and what would raise its price',
    ['member'],
  ],
  [
    'request_data_export',
    'write',
    'rights.startDataExport',
    'Request a data export',
    'Start an export of your data, which you download yourself',
    ['member'],
  ],
] as const satisfies readonly GrantedRow[];

const organisationRows = [
  ['list_jobs', 'read', 'jobs.listJobs', 'List jobs', 'Read the jobs of your organisation', orgRoles],
  [
    'create_job',
    'write',
    'jobs.createJob',
    'Create a job',
    'Create jobs for your organisation',
    ['org_admin'],
  ],
  [
    'list_job_matches',
    'read',
    'matches.listJobMatches',
    'List the matches of a job',
    'Read the shortlists of your jobs',
    orgRoles,
  ],
  [
    'set_match_status',
    'write',
    'matches.setMatchStatus',
    'Set the status of a match',
    'Show interest in people, pass on them, or close a match',
    ['org_admin'],
  ],
  [
    'search_job_templates',
    'read',
    'jobs.searchTemplates',
    'Search job templates',
    'Search job templates',
    orgRoles,
  ],
] as const satisfies readonly GrantedRow[];

const paidRows = [
  [
    'query_archetype',
    'spend',
    'queries.queryCredential',
    'Buy an archetype',
    'Buy reads of people’s archetypes',
    ['org_admin'],
  ],
  [
    'query_trait_profile',
    'spend',
    'queries.queryCredential',
    'Buy a trait profile',
    'Buy reads of people’s trait profiles',
    ['org_admin'],
  ],
  [
    'query_values_profile',
    'spend',
    'queries.queryCredential',
    'Buy a values profile',
    'Buy reads of people’s values profiles',
    ['org_admin'],
  ],
  [
    'query_alignment',
    'spend',
    'queries.queryCredential',
    'Buy an alignment',
    'Buy reads of how people’s values suit your organisation',
    ['org_admin'],
  ],
] as const satisfies readonly GrantedRow[];

/** The name of a tool. */
export type ToolName = (
  | typeof publicRows
  | typeof memberRows
  | typeof organisationRows
  | typeof paidRows
)[number][0];

/** Every tool of the MCP endpoint, in the order in which tools/list and the consent page show them. */
export const agentTools: readonly AgentTool[] = [
  ...publicRows.map(toPublicTool),
  ...memberRows.map((row) => toGrantedTool('member', row)),
  ...organisationRows.map((row) => toGrantedTool('organisation', row)),
  ...paidRows.map((row) => toGrantedTool('paid', row)),
];

/** The tools that somebody has to allow, thus all but the public ones. Their scopes are the vocabulary of capability tokens. */
export const grantableTools: readonly AgentTool[] = agentTools.filter(
  ({ audience }) => audience !== 'public',
);

const toolsByName: ReadonlyMap<string, AgentTool> = new Map(agentTools.map((tool) => [tool.name, tool]));

const toolsByOperation: ReadonlyMap<string, readonly AgentTool[]> = Map.groupBy(
  agentTools,
  ({ operation }) => operation,
);

const scope_prefix = 'tool:';

/** Finds a tool by its name. */
export function findAgentTool(name: string): AgentTool | undefined {
  return toolsByName.get(name);
}

/** Lists the tools behind which an operation is: none for most, and four for the paid read, which has one for each type of data. */
export function listToolsOfOperation(operation: string): readonly AgentTool[] {
  return toolsByOperation.get(operation) ?? [];
}

/** Lists the tools that a user with this role may allow to an agent. */
export function listToolsForRole(role: Role): readonly AgentTool[] {
  return grantableTools.filter(({ roles }) => roles.includes(role));
}

/** Returns the OAuth scope of a tool. */
export function toToolScope(name: ToolName): string {
  return `${scope_prefix}${name}`;
}

/** Finds the tool of an OAuth scope; undefined for other scopes, unknown tools and public tools, which have no scope. */
export function findToolOfScope(scope: string): AgentTool | undefined {
  const tool = scope.startsWith(scope_prefix) ? findAgentTool(scope.slice(scope_prefix.length)) : undefined;
  return tool?.audience === 'public' ? undefined : tool;
}

type NamedRow<Row extends readonly unknown[]> = readonly [
  ToolName,
  ...(Row extends readonly [unknown, ...infer Rest] ? Rest : never),
];

function toPublicTool([name, kind, operation, title]: NamedRow<PublicRow>): AgentTool {
  return { name, title, audience: 'public', kind, roles: [], consent: '', isDefault: false, operation };
}

function toGrantedTool(
  audience: ToolAudience,
  [name, kind, operation, title, consent, roles]: NamedRow<GrantedRow>,
): AgentTool {
  return { name, title, audience, kind, roles, consent, isDefault: kind !== 'spend', operation };
}
