import type { FastifyRequest } from 'fastify';
import type { LoggedInCaller } from '#lib/caller.ts';
import { interaction_cookie } from '#modules/access/agents';
import { parseCookies } from '#platform/http/cookies.ts';
import type { Query } from '#platform/http/query.ts';
import type { Platform } from '#platform/platform.ts';
import { createOperationCalls, type CallOperation } from '#platform/http/in-process/call-operations.ts';
import {
  buildApiCookies,
  createVisitId,
  formatReplyCookies,
  formatSessionCookie,
  formatVisitCookie,
  readConsoleCookies,
  type ConsoleCookies,
} from './console-cookies.ts';
import { createFormToken } from './form-token.ts';
import type { PageRow, Visit } from './page.ts';
import type { PagesOptions } from './pages-options.ts';
import { listedPages } from './search-engines.ts';

/** A visit, and what only the server of the pages needs of it. */
export type OpenedVisit = {
  readonly visit: Visit;
  /** The cookie that the tokens of forms depend on. */
  readonly secret: string;
  /** The Set-Cookie headers of the reply, added while operations run. */
  readonly set_cookies: string[];
  /** Calls of operations for a form: a repeated form is recognised by the key, and `seen` is the version that the visitor has changed. */
  readonly createCall: (key: string, seen: string | undefined) => CallOperation;
};

/** Creates the function that opens a visit: the page's view of one request. `proven` is what its visitor has proven meanwhile. */
export function createVisitOpener(
  platform: Platform,
  { apiRows, describe }: Pick<PagesOptions, 'apiRows' | 'describe'>,
): (row: PageRow, request: FastifyRequest, proven?: Pick<LoggedInCaller, 'authenticated_at'>) => OpenedVisit {
  const { config } = platform;
  const createCall = createOperationCalls(platform, apiRows);
  return (row, request, proven) => {
    const caller =
      proven && request.caller.role !== 'anonymous' ? { ...request.caller, ...proven } : request.caller;
    const all = parseCookies(request.headers.cookie);
    const cookies = readConsoleCookies(config, all);
    const { secret, set_cookies } = chooseSecret(platform, row, request, cookies);
    const facts = readFacts(request, all, cookies);
    const takeCookies = (each: Parameters<typeof formatReplyCookies>[1]) =>
      void set_cookies.push(...formatReplyCookies(config, each));
    const openCall = (key?: string, seen?: string) =>
      createCall({ caller, facts: { ...facts, if_match: seen }, key, takeCookies });
    const visit: Visit = {
      ...describe(platform, request),
      caller,
      call: openCall(),
      address: removeNotice(request.url),
      params: request.params as Visit['params'],
      query: readFirstValues(request.query as Query),
      form: { token: createFormToken(secret), values: {}, errors: {} },
      now: platform.now(),
      memory: platform.memory,
      canonical: listedPages.includes(row.path) ? `${config.publicUrl}${row.path}` : undefined,
      rows: platform.rows,
      tools: platform.tools,
      user_agent: facts.user_agent,
      language: readLanguage(request.headers['accept-language']),
    };
    return { visit, secret, set_cookies, createCall: openCall };
  };
}

/** The cookie of the session, extended if it was, or that of a visitor without one, created if the page has a form. */
function chooseSecret(
  { config }: Platform,
  { page }: PageRow,
  { caller, extended_s }: FastifyRequest,
  { session, visit }: ConsoleCookies,
) {
  if (caller.role !== 'anonymous' && session !== undefined) {
    const extended = extended_s === undefined ? [] : [formatSessionCookie(config, session, extended_s)];
    return { secret: session, set_cookies: extended };
  }
  if (visit !== undefined) return { secret: visit, set_cookies: [] };
  const secret = createVisitId();
  return { secret, set_cookies: page.actions ? [formatVisitCookie(config, secret)] : [] };
}

/** A notice is shown once: neither a form nor a link back to the page repeats it. */
function removeNotice(url: string): string {
  return url.replace(/([?&])notice=[^&]*&?/, '$1').replace(/[?&]$/, '');
}

function readFirstValues(query: Query): Visit['query'] {
  const entries = Object.entries(query).map(([name, value]) => [name, [value].flat()[0] ?? ''] as const);
  return Object.fromEntries(entries);
}

/** Reads the first language of a browser's list, such as `de-AT,de;q=0.9,en;q=0.8`. */
function readLanguage(header: string | undefined): string | undefined {
  return /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})\s*(?:[,;]|$)/.exec(header?.slice(0, 100) ?? '')?.[1];
}

function readFacts(
  request: FastifyRequest,
  all: Readonly<Record<string, string | undefined>>,
  cookies: ConsoleCookies,
) {
  return {
    id: request.id,
    address: request.address,
    user_agent: request.headers['user-agent']?.slice(0, 300),
    accept: undefined,
    if_match: undefined,
    payment: {},
    // The cookie of an authorization request is sent only to its own pages.
    cookies: { ...buildApiCookies(cookies), [interaction_cookie]: all[interaction_cookie] },
    origin: request.headers.origin,
  };
}
