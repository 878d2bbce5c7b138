import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TSchema } from 'typebox';
import {
  anonymousCaller,
  requireRecentAuthentication,
  type Caller,
  type CallerGrant,
  type CallerKey,
  requireMfa,
} from '#lib/caller.ts';
import { cacheByObject } from '#lib/cache-results.ts';
import { Refusal } from '#lib/refusal.ts';
import { describeAttachment } from '#platform/http/attachment.ts';
import type { ReplyContent } from '#platform/http/headers.ts';
import {
  hashIdempotentRequest,
  runIdempotentRequest,
  runInOneTransaction,
} from '#platform/http/idempotency.ts';
import { toNetwork } from '#platform/limits/rate-limits.ts';
import type { Reader } from '#platform/database/database.ts';
import { isMfaNeeded, nameRow, type Row } from '#platform/http/row.ts';
import { buildInputParser } from '#platform/http/input/parse-input.ts';
import {
  buildInputReader,
  buildOutputGuard,
  type Compilable,
  type RequestParts,
} from '#platform/http/input/validation.ts';
import {
  isOtherOutput,
  isReply,
  mayCall,
  ReportFile,
  type AllowedCallers,
  type DocumentBody,
  type FileBody,
  type Operation,
  type OtherOutput,
  type Output,
  type RedirectBody,
  type Reply,
  type RequestFacts,
  type StreamBody,
} from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';

type RunTransaction = Platform['database']['transaction'];
type RunSnapshot = Platform['database']['readSnapshot'];

/** One call of an operation: the caller and the input have been checked. `key` is an Idempotency-Key. */
type CheckedCall = {
  readonly caller: Caller;
  readonly facts: RequestFacts;
  readonly input: object;
  readonly key?: string;
  /** Through what the operation reads, if not directly from the database. */
  readonly reads?: SharedReads;
};

/** Reads that several operations share until one of them writes. */
export type SharedReads = {
  readonly reader: Reader;
  /** Forgets what was read, because something may have been written. */
  readonly forget: () => void;
};

/** Who calls, and why their token was not accepted, if it was not. An agent that calls a tool names it. */
type Identified = {
  readonly caller: Caller;
  readonly authenticationError?: unknown;
  readonly tool?: string | undefined;
};

/** A reply whose body has only what its schema names, with its content as bytes and the headers that describe it. */
export type GuardedReply = Reply & GuardedContent & { readonly replayed: boolean };

/** What every call of an operation passes through, in this order: over HTTP and from pages. */
export type RowSteps = {
  /** Refuses a caller whose role may not call the operation, or who must authenticate again first. */
  readonly checkCaller: (identified: Identified) => void;
  /** Reads the input. @throws Refusal `field_invalid` and others. */
  readonly parse: (parts: RequestParts, caller: Caller) => Promise<object>;
  /** Runs the operation and guards its reply. @throws Error for a reply that is not as its schema says. */
  readonly run: (call: CheckedCall) => Promise<GuardedReply>;
};

/** Builds the steps of a row of the API. */
export function buildRowSteps(platform: Platform, row: Row, operation: Operation): RowSteps {
  const guards = buildGuards(operation);
  const mayWrite = row.method !== 'GET' || operation.writes_on_read !== undefined;
  return {
    checkCaller: (identified) => checkCaller(platform, row, operation, identified),
    parse: buildInputParser(platform, row, { schema: operation.input, checks: operation.checks }),
    run: async (call) => {
      const { result, replayed } =
        call.key === undefined
          ? { result: await runWithoutKey(call), replayed: false }
          : await runOnce(call.key, call);
      const reply = isReply(result) ? result : { status: guards.firstStatus, body: result, cookies: [] };
      return { ...reply, ...guardReply(reply), replayed };
    },
  };

  function runWithoutKey(call: CheckedCall): Promise<unknown> {
    const transaction: RunTransaction = mayWrite
      ? (work, options) => platform.database.transaction(work, options)
      : refuseToWrite;
    return operation.idempotent
      ? runInOneTransaction((checked) => runOperation(call, checked), transaction)
      : runOperation(call, transaction);
  }

  function runOperation(
    { caller, facts, input, reads }: CheckedCall,
    transaction: RunTransaction,
  ): Promise<unknown> {
    // `checkCaller` has compared the caller with the roles of the operation.
    const effective = selectEffectiveCaller(operation, caller);
    const readSnapshot: RunSnapshot = (read) => platform.database.readSnapshot(read);
    const context = { ...platform, caller: effective, readSnapshot, transaction, request: facts };
    if (reads === undefined) return operation.run(context, input);
    const transactionOfReads = forgetReadsAtTransactions(reads, transaction);
    return operation.run({ ...context, database: reads.reader, transaction: transactionOfReads }, input);
  }

  function runOnce(key: string, call: CheckedCall) {
    const content = [row.method, row.path, call.input];
    const request = hashIdempotentRequest(platform, key, identifyKeyHolder(call), content);
    const facts = { ...call.facts, repeat_id: request.key_hash.toString('hex') };
    return runIdempotentRequest(platform, request, (transaction) =>
      runOperation({ ...call, facts }, transaction),
    );
  }

  function guardReply({ status, body, cookies, receipt }: Reply): GuardedContent {
    if (receipt && !operation.takes_payment)
      throw new Error(`${operation.name} returned a receipt, but takes no payment`);
    const guard = guards.byStatus.get(status);
    if (guard === undefined)
      throw new Error(`${operation.name} returned status ${String(status)}, which it does not declare`);
    for (const { name } of cookies)
      if (!operation.cookies?.sets?.includes(name))
        throw new Error(`${operation.name} sets the cookie ${name}, which it does not declare`);
    return guard === null ? emptyContent : guard(body);
  }
}

/** Compiles the schemas of rows one after the other, so that no later request waits for its own, and requests that arrive meanwhile go on between two. Ends early if `signal` is aborted. */
export async function compileSchemas(rows: readonly Row[], signal: AbortSignal): Promise<void> {
  for (const row of rows) {
    const guards = [...buildGuards(row.operation).byStatus.values()];
    for (const each of [buildInputReader(row, row.operation.input), ...guards]) {
      if (signal.aborted) return;
      each?.compile?.();
      await nextTurn();
    }
  }
}

/**
 * Identifies whose keys a call's Idempotency-Key is among: those of a user, of one agent of a user, of a service key, or of a network. A stranger has no name, and
 * programs choose keys such as `stub-1`: a stored reply may have a claim code or a token, so it never goes to another network than the first time.
 */
function identifyKeyHolder({ caller, facts }: CheckedCall): readonly string[] {
  if (caller.role === 'anonymous') return ['network', toNetwork(facts.address)];
  if (caller.service_key) return ['service key', caller.service_key.service_key_id];
  return caller.grant ? ['agent', caller.grant.grant_id] : ['user', caller.user_id];
}

/** Reads go to `database`, and everything that writes needs a transaction. */
function refuseToWrite(): never {
  throw new Error('a GET has no transaction unless its operation says what it `writes_on_read`');
}

/** What was read before a transaction, or while it ran, may be different after it. */
function forgetReadsAtTransactions({ forget }: SharedReads, transaction: RunTransaction): RunTransaction {
  return async (work, options) => {
    forget();
    try {
      return await transaction(work, options);
    } finally {
      forget();
    }
  };
}

function checkCaller(
  { config, now }: Platform,
  row: Row,
  operation: Operation,
  { caller, authenticationError, tool }: Identified,
): void {
  const { who } = operation;
  if (!mayCall(who, caller)) {
    if (authenticationError instanceof Error) throw authenticationError;
    throw caller.role === 'anonymous' ? new Refusal('authentication_required') : refuseRole(who, caller.role);
  }
  if (caller.role === 'anonymous') return;
  if (caller.grant && who !== 'anyone') requireGrantedTool(operation, caller.grant, tool);
  if (caller.service_key && who !== 'anyone') requirePermittedRow(row, caller.service_key);
  if (config.production && isMfaNeeded(row, operation)) requireMfa(caller);
  if (row.options.recent_authentication) requireRecentAuthentication(caller, now());
}

const alternatives = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function refuseRole(who: AllowedCallers, role: string): Refusal {
  const allowed = who === 'anyone' ? [] : who;
  return new Refusal('role_not_allowed', {
    detail: `This needs the role ${alternatives.format(allowed)}; yours is ${role}.`,
  });
}

/**
 * Requires that the user has allowed an agent the tool that this operation is behind. An operation may be behind several tools, which differ in
 * their arguments; who does not name the tool needs all of them.
 */
function requireGrantedTool({ tools = [] }: Operation, grant: CallerGrant, tool: string | undefined): void {
  const needed = tools.filter((each) => tool === undefined || each.name === tool);
  if (needed.length === 0 || !needed.every((each) => grant.tools.has(each.name)))
    throw new Refusal('tool_not_granted');
}

/** Requires that a service key is permitted this row. */
function requirePermittedRow(row: Row, { rows }: CallerKey): void {
  if (!rows.has(nameRow(row)))
    throw new Refusal('row_not_permitted', {
      detail: `This service key is not permitted ${nameRow(row)}. An administrator can create one that is.`,
    });
}

/** At an operation for anyone, a service key is a stranger, and so is an agent unless it has the tool: it must not act for its user where nobody had to allow it. */
function selectEffectiveCaller({ tools = [], who }: Operation, caller: Caller): Caller {
  if (caller.role === 'anonymous' || who !== 'anyone') return caller;
  if (caller.service_key) return anonymousCaller;
  if (!caller.grant) return caller;
  const granted = caller.grant.tools;
  return tools.some((each) => granted.has(each.name)) ? caller : anonymousCaller;
}

const buildGuards = cacheByObject((operation: Operation) => {
  const byStatus = new Map(
    Object.entries(operation.output).map(([status, output]) => [
      Number(status),
      buildGuard(operation.name, Number(status), output),
    ]),
  );
  const [firstStatus] = byStatus.keys();
  if (firstStatus === undefined) throw new Error(`${operation.name} declares no status`);
  return { byStatus, firstStatus };
});

const emptyContent: GuardedContent = { headers: {}, content: '' };

/** The content of a reply, and the headers that describe it. */
type GuardedContent = {
  readonly headers: Readonly<Record<string, string>>;
  readonly content: ReplyContent;
};

/** Checks a body and writes it. Only a reply in JSON has a schema to compile. */
type Guard = ((body: unknown) => GuardedContent) & Partial<Compilable>;

function buildGuard(name: string, status: number, output: Output): Guard | null {
  if (output === null) return null;
  if (isOtherOutput(output)) return buildOtherGuard(name, status, output);
  return buildJsonGuard(name, status, output);
}

function buildJsonGuard(name: string, status: number, schema: TSchema): Guard & Compilable {
  const guard = buildOutputGuard(name, status, schema);
  const checkAndWrite = (body: unknown) => ({ headers: jsonHeaders, content: guard(body) });
  return Object.assign(checkAndWrite, { compile: guard.compile });
}

/** The types of `operation` make `run` return the body that its output declares. */
function buildOtherGuard(name: string, status: number, output: OtherOutput): Guard {
  switch (output.kind) {
    case 'file':
      return (body) =>
        attach(name, output.media_types, { media_type: output.media_types[0]!, ...(body as FileBody) });
    case 'stream':
      return (body) => {
        const { chunks, ...rest } = body as StreamBody;
        return attach(name, output.media_types, { ...rest, content: chunks });
      };
    case 'report': {
      const write = buildJsonGuard(name, status, output.schema);
      const attachOrWrite = (body: unknown) =>
        body instanceof ReportFile ? attach(name, output.media_types, body) : write(body);
      return Object.assign(attachOrWrite, { compile: write.compile });
    }
    case 'document':
      return (body) => guardDocument(name, output.media_types, body as DocumentBody);
    default:
      return (body) => ({ headers: { location: (body as RedirectBody).location }, content: '' });
  }
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8' };

/** A file is an attachment, which browsers save and do not display: user input in it must not run as a page of this service. */
function attach(
  name: string,
  media_types: readonly string[],
  file: { readonly media_type: string; readonly filename: string; readonly content: ReplyContent },
): GuardedContent {
  requireDeclared(name, media_types, file.media_type);
  return { headers: describeAttachment(name, file.media_type, file.filename), content: file.content };
}

function guardDocument(
  name: string,
  media_types: readonly string[],
  { media_type, content, max_age_s }: DocumentBody,
): GuardedContent {
  requireDeclared(name, media_types, media_type);
  const cached = max_age_s > 0 && { 'cache-control': `public, max-age=${max_age_s}` };
  return {
    headers: {
      'content-type': media_type,
      ...cached,
      ...(media_types.length > 1 && { vary: 'Accept' }),
    },
    content,
  };
}

function requireDeclared(name: string, media_types: readonly string[], media_type: string): void {
  if (!media_types.includes(media_type))
    throw new Error(`${name} returned ${media_type}, which it does not declare`);
}
