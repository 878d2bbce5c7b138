import type { Static, TObject, TSchema } from 'typebox';
import type { AnonymousCaller, Caller, Role, SignedInCaller } from '#lib/caller.ts';
import type { RefusalCode } from '#lib/refusal.ts';
import type { Reader, Transaction, TransactionOptions } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';

/** Who may call an operation: anyone at all, or people with one of these roles. */
export type AllowedCallers<R extends Role = Role> = 'anyone' | readonly R[];

/** The caller that an operation sees, narrowed by the roles of its `who`; `never` stands for anyone. */
export type CallerWithRole<R extends Role> = [R] extends [never]
  ? Caller
  : Extract<SignedInCaller, { role: R }>;

/** The replies of an operation: HTTP status → strict schema of the body, a {@link file}, a {@link document}, or null where there is no body. */
export type Outputs = Readonly<Record<number, TSchema | FileOutput | DocumentOutput | RedirectOutput | null>>;

/** A reply that is a file to keep and no JSON. */
export class FileOutput {
  readonly media_type: string;

  constructor(media_type: string) {
    this.media_type = media_type;
  }
}

/** Declares that a status answers a file: `output: { 200: file('text/csv; charset=utf-8') }`. The operation then answers a {@link FileBody}. */
export function file(media_type: string): FileOutput {
  return new FileOutput(media_type);
}

/** A reply that is a document of one of several media types, to be read by programs and kept by caches. */
export class DocumentOutput {
  readonly media_types: readonly string[];

  constructor(media_types: readonly string[]) {
    this.media_types = media_types;
  }
}

/** Declares that a status answers a document: `output: { 200: document('application/vc+jwt') }`. The operation then answers a {@link DocumentBody}. */
export function document(...media_types: readonly string[]): DocumentOutput {
  return new DocumentOutput(media_types);
}

/** The content of a document, which of the declared media types it has, and for how long a cache may keep it; 0: not at all. */
export type DocumentBody = {
  readonly media_type: string;
  readonly content: string;
  readonly max_age_s: number;
};

/** The content of a file, and the name under which a browser keeps it: letters, digits, `.`, `_` and `-`. */
export type FileBody = { readonly filename: string; readonly content: string | Buffer };

/** A reply without a body that sends a browser elsewhere. */
export class RedirectOutput {
  readonly kind = 'redirect';
}

/** Declares that a status sends a browser elsewhere: `output: { 303: redirect() }`. The operation then answers a {@link RedirectBody}. */
export function redirect(): RedirectOutput {
  return new RedirectOutput();
}

/** Where to: a whole URL, or a path of our own. */
export type RedirectBody = { readonly location: string };

/** A cookie to set; `max_age_s` 0 clears it. All our cookies are HttpOnly, Secure and, unless they say otherwise, SameSite=Lax. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly max_age_s: number;
  readonly path: string;
  /** SameSite=None: for what another site's page posts back to us. */
  readonly cross_site?: true;
};

/** An answer with its status, for operations that have several statuses or set cookies. */
export type Reply<Status = number, Body = unknown> = {
  readonly status: Status;
  readonly body: Body;
  readonly cookies: readonly Cookie[];
};

type OutputBody<Output> = Output extends FileOutput
  ? FileBody
  : Output extends DocumentOutput
    ? DocumentBody
    : Output extends RedirectOutput
      ? RedirectBody
      : Output extends TSchema
        ? Static<Output>
        : null;

type OutputReply<O extends Outputs> = { [Status in keyof O]: Reply<Status, OutputBody<O[Status]>> }[keyof O];

/** What `run` may return: the body, where there is one status, or a {@link Reply}. */
export type OperationResult<O extends Outputs> =
  | { [Status in keyof O]: OutputBody<O[Status]> }[keyof O]
  | OutputReply<O>;

/** What a request brings besides its input. */
export type RequestFacts = {
  readonly id: string;
  /** The client's network address, for throttling and the audit log. */
  readonly address: string;
  readonly user_agent: string | undefined;
  /** The Accept header, for documents that come in several media types. */
  readonly accept: string | undefined;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The site whose page sent it, as the browser says; undefined for a GET, and for what is no browser. */
  readonly origin: string | undefined;
};

/** What an operation works with: the services, the caller, and the facts of the request. */
export type Context<R extends Role = Role> = Services & {
  readonly caller: CallerWithRole<R>;
  readonly request: RequestFacts;
  /** For reading outside the transaction; an operation writes inside it. */
  readonly database: Reader;
  /**
   * The only transaction. What it returns must be the operation's reply: with an Idempotency-Key, that value is stored in the same
   * transaction, so that a retried request never takes effect twice.
   */
  readonly transaction: <Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
};

export type OperationDefinition<R extends Role, I extends TObject, O extends Outputs> = {
  /** `module.verbNoun`: the file is `src/modules/module/verb-noun.ts`. */
  readonly name: string;
  /** One sentence for the reference documentation. */
  readonly summary: string;
  readonly who: AllowedCallers<R>;
  /** Path, query and body fields in one object; the path names its own, the rest is the query of a GET and the body of a POST. */
  readonly input: I;
  readonly output: O;
  /** The refusals of this operation's own; those of the door (401, 403, 422, 429…) are implied. */
  readonly refuses: readonly RefusalCode[];
  /** Requires that the user proved within the last 15 minutes who they are, because the operation could cost them the account. */
  readonly recent_authentication?: true;
  /** POSTs that create or pay: accepts an Idempotency-Key. */
  readonly idempotent?: true;
  readonly run: (context: Context<R>, input: Static<I>) => Promise<OperationResult<O>>;
};

/** An operation with its types forgotten, as the tables hold it. */
export type Operation = Omit<OperationDefinition<Role, TObject, Outputs>, 'run'> & {
  readonly run: (context: Context, input: never) => Promise<unknown>;
};

/**
 * Defines an operation: the one value from which validation, serialisation, authorisation, OpenAPI and the MCP tool schemas follow.
 * REST, MCP and the command line enter by their tables at the same operation.
 */
export function operation<I extends TObject, const O extends Outputs, R extends Role = never>(
  definition: OperationDefinition<R, I, O>,
): Operation {
  return definition as unknown as Operation;
}

/** Answers with a status, and with cookies where the operation sets them. */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  cookies: readonly Cookie[] = [],
): Reply<Status, Body> {
  return new ReplyObject(status, body, cookies);
}

/** A class, so that a body that happens to have the same fields is never taken for a reply. */
class ReplyObject<Status, Body> implements Reply<Status, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly cookies: readonly Cookie[];

  constructor(status: Status, body: Body, cookies: readonly Cookie[]) {
    this.status = status;
    this.body = body;
    this.cookies = cookies;
  }
}

/** Tells a {@link Reply} from a plain body, whatever fields the body has. */
export function isReply(answer: unknown): answer is Reply {
  return answer instanceof ReplyObject;
}

/** Whether a role is among those who may call. */
export function mayCall(who: AllowedCallers, caller: SignedInCaller | AnonymousCaller): boolean {
  return who === 'anyone' || (caller.role !== 'anonymous' && who.includes(caller.role));
}
