import type { Role } from '#lib/caller.ts';
import { toPlainName } from '#lib/text/plain-name.ts';
import { findUnstorableText } from '#lib/text/unstorable-text.ts';
import { isDefaultTool, joinToolScopes, readToolScopes, type Tool } from '#lib/tool.ts';
import { selectKeys } from './client-keys.ts';
import { findDocumentHost } from './grants/rules.ts';

/** How long each artifact of the protocol lives. */
export const lifetimes_s = {
  /** From the first page to the decision; a new account fits in. */
  interaction: 3_600,
  code: 60,
  /** A capability token. Its grant is checked with every call, so this only bounds what a lost database could not tell. */
  access_token: 600,
  /** Without use. A grant that ends earlier ends its refresh tokens. */
  refresh_token: 30 * 86_400,
} as const;

/** How long a registered client waits for its first use, and a used one for its next. */
export const client_lifetimes_s = { unused: 86_400, idle: 400 * 86_400 } as const;

/**
 * At most this many registered clients wait for their first use. The oldest make room for new ones, so that nobody can keep others from
 * registering.
 */
export const unused_clients_max = 10_000;

/** At most this many refreshes of a grant in an hour. A client needs one each time its token expires, on each device. */
export const refreshes_per_hour_max = 60;

/** An assertion by which a client proves who it is (RFC 7523) may be valid for this long at most, because it is remembered until it expires. */
export const assertion_seconds_max = 600;

/** The cookie that binds an authorization request to the browser that started it. */
export const interaction_cookie = 'tessera-interaction';

/** Where the pages of an authorization request are: `/oauth/interaction/{uid}`. */
export const interactions_path = '/oauth/interaction';

/** The audience of capability tokens: the MCP endpoint. */
export function buildResource(publicUrl: string): string {
  return `${publicUrl}/mcp`;
}

/**
 * The scopes for which a client without a token asks first, and which it gets if it asks for none: the tools of every role that do not spend
 * money. Before the login nobody knows the role, and the consent page offers only the tools of the role.
 */
export function buildDefaultScope(tools: readonly Tool[]): string {
  return joinToolScopes(tools.filter(isDefaultTool));
}

export function readTools(tools: readonly Tool[], scope: string): string[] {
  return readToolScopes(tools, scope).map(({ name }) => name);
}

/** What an authorization request says about the login that it accepts (OpenID Connect Core, section 3.1.2.1). */
export type LoginDemand = {
  readonly prompt: string | undefined;
  /** The greatest age of the login at the time of the request, in seconds. */
  readonly age_max_s: number | undefined;
  readonly requested_at: Date;
};

/**
 * Whether a client asks for a newer login than the one of a person: `prompt=login` for one after its request, `max_age` for one that is not older.
 * Logins are known to the second.
 */
export function isLoginTooOld(
  { prompt, age_max_s, requested_at }: LoginDemand,
  authenticated_at: Date,
): boolean {
  const isNew = prompt?.split(' ').includes('login') === true;
  const accepted_age_s = isNew ? 0 : age_max_s;
  if (accepted_age_s === undefined) return false;
  const toSeconds = (time: Date) => Math.floor(time.getTime() / 1000);
  return toSeconds(authenticated_at) < toSeconds(requested_at) - accepted_age_s;
}

/** Which of the requested tools a person with a role may allow. Others are left out, because no consent could permit them. */
export function selectAllowableTools(tools: readonly Tool[], scope: string, role: Role): string[] {
  return readToolScopes(tools, scope).flatMap(({ name, roles }) => (roles?.includes(role) ? name : []));
}

/**
 * Corrects the parameters of an authorization or token request in the ways that real clients need:
 *
 * - They name the resource by the origin, or with a slash at the end. It is the same resource.
 * - They ask for scopes of other services, or for none, and get the default scopes. RFC 6749 (section 3.3) allows the server to grant others
 *   than requested. The person decides in any case.
 * - They ask for a login of a greatest age. The library knows `max_age` only beside identity tokens, which do not exist here.
 */
export function correctParameters(
  parameters: URLSearchParams,
  publicUrl: string,
  tools: readonly Tool[],
): URLSearchParams {
  const corrected = new URLSearchParams(parameters);
  correctResource(corrected, publicUrl);
  if (corrected.has('response_type')) {
    correctScope(corrected, tools);
    correctLoginAge(corrected);
    refuseOtherModes(corrected);
  }
  return corrected;
}

function correctResource(parameters: URLSearchParams, publicUrl: string): void {
  const resource = buildResource(publicUrl);
  const aliases = new Set([publicUrl, `${publicUrl}/`, resource, `${resource}/`]);
  const requested = parameters.getAll('resource').map((each) => (aliases.has(each) ? resource : each));
  if (requested.length === 0) return;
  parameters.delete('resource');
  for (const each of new Set(requested)) parameters.append('resource', each);
}

function correctScope(parameters: URLSearchParams, tools: readonly Tool[]): void {
  const requested = parameters.getAll('scope');
  // A repeated parameter is an error, which the library reports.
  if (requested.length > 1) return;
  const asked = readToolScopes(tools, requested[0] ?? '');
  parameters.set('scope', asked.length > 0 ? joinToolScopes(asked) : buildDefaultScope(tools));
}

/** How long a refresh may be repeated whose reply was lost. */
export const repeat_seconds = 10;

/** The name under which `max_age` passes through the library. */
export const login_age_parameter = 'login_age_max_s';

/** An age that is malformed or repeated stays, so that the library refuses it. */
function correctLoginAge(parameters: URLSearchParams): void {
  parameters.delete(login_age_parameter);
  const ages = parameters.getAll('max_age');
  if (ages.length !== 1 || !/^\d{1,15}$/.test(ages[0]!)) return;
  parameters.delete('max_age');
  parameters.set(login_age_parameter, ages[0]!);
}

/** Codes are returned in the query only: a form that sends itself would need a script in a page of this origin. The library refuses the name. */
function refuseOtherModes(parameters: URLSearchParams): void {
  const mode = parameters.get('response_mode');
  if (mode !== null && mode !== 'query') parameters.set('response_mode', 'unsupported');
}

/** The fields of a registration that this service understands (RFC 7591, section 2). All others are ignored, as the RFC requires. */
const registered_fields = [
  'client_name',
  'client_uri',
  'grant_types',
  'jwks',
  'jwks_uri',
  'logo_uri',
  'policy_uri',
  'redirect_uris',
  'response_types',
  'token_endpoint_auth_method',
  'tos_uri',
] as const;

const supported_grants: ReadonlySet<unknown> = new Set(['authorization_code', 'refresh_token']);

const redirect_uris_max = 20;
const text_characters_max = 2_000;

/** The longest parameter of a request. Longer ones would only fill the table of requests. */
const parameter_characters_max = 4_096;

/** Finds a parameter that cannot be stored. @returns what is wrong with it, as a sentence. */
export function findParameterFault(parameters: URLSearchParams): string | undefined {
  for (const [name, value] of parameters) {
    if (name.includes('\0') || value.includes('\0')) return 'a parameter contains a NUL';
    if (value.length > parameter_characters_max)
      return `${name.slice(0, 50)} must have at most ${parameter_characters_max} characters`;
  }
  return undefined;
}

/** What is wrong with the metadata of a client, as a sentence; undefined if nothing is. */
export type MetadataFault = string | undefined;

/** Finds metadata of a client that is too large to be stored or shown. The library checks everything else. */
export function findMetadataFault(metadata: Readonly<Record<string, unknown>>): MetadataFault {
  const { redirect_uris = [], client_name = '' } = metadata;
  if (Array.isArray(redirect_uris) && redirect_uris.length > redirect_uris_max)
    return `redirect_uris must have at most ${redirect_uris_max} entries`;
  if (typeof client_name === 'string' && client_name.length > 200)
    return 'client_name must have at most 200 characters';
  if (Array.isArray(redirect_uris) && redirect_uris.some(isUnprotected))
    return 'redirect_uris must use https, or lead to a program on the device of the user';
  const pointer = findUnstorableText(metadata);
  if (pointer !== undefined)
    return `${pointer.split('/')[1] || 'the metadata'} contains a NUL or half a character`;
  for (const name of registered_fields)
    if ([metadata[name]].flat().some((each) => typeof each === 'string' && each.length > text_characters_max))
      return `${name} must have at most ${text_characters_max} characters`;
  return undefined;
}

/** Whether a code sent to this address could be read on its way (RFC 9700, section 2.6), or would not reach the client. */
function isUnprotected(redirect_uri: unknown): boolean {
  if (typeof redirect_uri !== 'string' || !URL.canParse(redirect_uri)) return false;
  const { protocol, hostname } = new URL(redirect_uri);
  return protocol === 'http:' ? !loopback_hosts.has(hostname) : foreign_schemes.has(protocol.slice(0, -1));
}

/**
 * Schemes of the web, of mail, files and networks. A browser or another program answers to them, never a client that has a scheme of its own
 * (RFC 8252, section 7.1). The dot which that section asks for is not required: well-known clients have schemes without one.
 */
const foreign_schemes: ReadonlySet<string> = new Set(
  [
    'about blob chrome content data edge file filesystem intent javascript',
    'vbscript view-source ws wss shttp feed jar resource ms-settings search-ms',
    'ftp ftps sftp smb nfs afp dav davs ldap ldaps ssh telnet git',
    'rdp vnc gopher magnet torrent nntp irc ircs xmpp',
    'mailto tel sms mms sip sips facetime geo maps market webcal urn',
  ].flatMap((schemes) => schemes.split(' ')),
);

/**
 * Selects the fields of a registration or of a client's document that count. Libraries send an optional field without a value as null or empty,
 * which is the same as leaving it out. Scopes are left out, so that a client can ask for more tools later; contacts, because nobody here reads
 * them; grant and response types that do not exist here, because clients send the list of all that they know.
 */
export function selectMetadata(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = registered_fields.flatMap((name) =>
    isEmptyValue(body[name]) ? [] : [[name, body[name]] as const],
  );
  const metadata = Object.fromEntries(entries) as Record<string, unknown>;
  const { grant_types, response_types, redirect_uris, jwks } = metadata;
  return {
    ...metadata,
    ...(jwks !== undefined && { jwks: selectKeys(jwks) }),
    ...(Array.isArray(grant_types) && {
      grant_types: grant_types.filter((each) => supported_grants.has(each)),
    }),
    ...(Array.isArray(response_types) && response_types.includes('code') && { response_types: ['code'] }),
    application_type: chooseApplicationType(redirect_uris),
  };
}

function isEmptyValue(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/**
 * Chooses the kind of a client by its redirect addresses, whatever it says: a program on the person's device has a loopback address, of which any
 * port is as good as the registered one, or a scheme of its own (RFC 8252, sections 7.1 and 7.3). Many clients name no kind, or the wrong one. The
 * library accepts `https:` on a loopback address from web clients only.
 */
export function chooseApplicationType(redirect_uris: unknown): 'native' | 'web' {
  const uris: readonly unknown[] = Array.isArray(redirect_uris) ? redirect_uris : [];
  const addresses = uris.flatMap((each) =>
    typeof each === 'string' && URL.canParse(each) ? [new URL(each)] : [],
  );
  const isNative = addresses.some(({ protocol }) => protocol !== 'https:' && protocol !== 'http:');
  const isLocal = (scheme: string) =>
    addresses.some(({ protocol, hostname }) => protocol === scheme && loopback_hosts.has(hostname));
  return isNative || (isLocal('http:') && !isLocal('https:')) ? 'native' : 'web';
}

/**
 * Selects what counts of the document of a client that is known by its URL. What the library refuses there stays: another id and shared secrets.
 * Without a shared secret, a client that names no way to authenticate has none.
 */
export function selectDocument(
  document: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const secrets = ['client_secret', 'client_secret_expires_at'].flatMap((name) =>
    isEmptyValue(document[name]) ? [] : [[name, document[name]] as const],
  );
  return {
    client_id: document['client_id'],
    token_endpoint_auth_method: 'none',
    ...selectMetadata(document),
    ...Object.fromEntries(secrets),
  };
}

/** A client that asks, as it describes itself. People read the name that `name-clients.ts` chooses. */
export type ClientDescription = {
  readonly id: string;
  /** What the client calls itself, as a plain name; empty if it has no name. */
  readonly name: string;
  /** The host that publishes who the client is; null for one that registered itself. */
  readonly document_host: string | null;
  /** Where the person's browser goes afterwards: the host of a web address, or the scheme of an application's own. */
  readonly redirect_host: string;
  /** Whether the name is proven by the domain from which the client's metadata comes, which is also that of its redirect address. */
  readonly is_verified: boolean;
  /** Whether the browser goes to a program on the person's own device. */
  readonly is_local: boolean;
};

const loopback_hosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Describes a client by what it says about itself, and by what of it is proven. */
export function describeClient(client: {
  readonly id: string;
  readonly name: string | undefined;
  readonly redirect_uri: string;
  /** Whether `id` is the URL from which the metadata was fetched. */
  readonly hasMetadataUrl: boolean;
}): ClientDescription {
  const redirect = new URL(client.redirect_uri);
  const isWeb = redirect.protocol === 'https:' || redirect.protocol === 'http:';
  const redirect_host = isWeb ? redirect.host : redirect.protocol.slice(0, -1);
  const document_host = client.hasMetadataUrl ? findDocumentHost(client.id) : null;
  return {
    id: client.id,
    name: toPlainName(client.name ?? ''),
    document_host,
    redirect_host,
    is_verified: isWeb && document_host === redirect.host,
    is_local: !isWeb || loopback_hosts.has(redirect.hostname),
  };
}
