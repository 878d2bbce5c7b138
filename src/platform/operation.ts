import { Type, type Static, type TObject, type TSchema } from 'typebox';
import type { AnonymousCaller, Caller, Role, LoggedInCaller } from '#lib/caller.ts';
import type { RefusalCode } from '#lib/refusals.ts';
import type { Tool } from '#lib/tool.ts';
import type { Database, Reader, Transaction, TransactionOptions } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';

/** Who may call an operation: anyone, or only users with one of these roles. */
export type AllowedCallers<R extends Role = Role> = 'anyone' | readonly R[];

/** The caller type of an operation, narrowed to the roles of its `who`. `never` means anyone. */
export type CallerWithRole<R extends Role> = [R] extends [never]
  ? Caller
  : Extract<LoggedInCaller, { role: R }>;

/** What an operation replies with: JSON of a closed schema, one of the other forms, or no body. */
export type Output = TSchema | OtherOutput | null;

/** The replies of an operation by HTTP status. */
export type Outputs = Readonly<Record<number, Output>>;

/** A reply that is not JSON alone. What the operation returns for it is a type only; it is never set. */
export type OtherOutput<Returned = unknown> = OtherForm & { readonly returned?: Returned };

type OtherForm =
  | { readonly kind: 'file' | 'stream' | 'document'; readonly media_types: readonly string[] }
  | { readonly kind: 'report'; readonly media_types: readonly string[]; readonly schema: TSchema }
  | { readonly kind: 'redirect' };

/** Checks whether an output is another form than JSON. No keyword of JSON Schema is called `kind`. */
export function isOtherOutput(output: TSchema | OtherOutput): output is OtherOutput {
  return 'kind' in output;
}

/**
 * Declares a status whose reply is a file to save: `output: { 200: file('text/csv; charset=utf-8') }`. The operation returns a
 * {@link FileBody}.
 */
export function file(...media_types: readonly [string, ...string[]]): OtherOutput<FileBody> {
  return { kind: 'file', media_types };
}

/**
 * The content of a file, and the name under which a browser saves it: letters, digits, `.`, `_` and `-`. Without a media type, the file has
 * the first that its operation declares.
 */
export type FileBody = {
  readonly filename: string;
  readonly content: string | Buffer;
  readonly media_type?: string;
};

/**
 * Declares a status whose reply is a file of one of several media types and of any length, which is sent while it is being produced:
 * `output: { 200: stream('text/csv; charset=utf-8') }`. The operation returns a {@link StreamBody}.
 */
export function stream(...media_types: readonly string[]): OtherOutput<StreamBody> {
  return { kind: 'stream', media_types };
}

/**
 * The content of a streamed file. A failure before the first chunk is a problem like any other. After it, the connection is reset, and a
 * chunked transfer without its last chunk tells the receiver that the file is incomplete (RFC 9112, section 8). When the receiver
 * disconnects, the iteration ends, and with it what it holds.
 */
export type StreamBody = {
  readonly media_type: string;
  readonly filename: string;
  readonly chunks: AsyncIterable<string | Uint8Array>;
};

/**
 * Declares a status whose reply is JSON or, if the caller asks for it, a file: `output: { 200: report(reportWire, 'application/pdf') }`. The
 * operation returns the body of the schema, or a {@link ReportFile}.
 */
export function report<Schema extends TSchema>(
  schema: Schema,
  ...media_types: readonly string[]
): OtherOutput<Static<Schema> | ReportFile> {
  return { kind: 'report', schema, media_types };
}

/** A report as a file. A class, so that a body of JSON with the same fields is not mistaken for a file. */
export class ReportFile {
  readonly media_type: string;
  readonly filename: string;
  readonly content: string | Buffer;

  constructor({ media_type, filename, content }: FileBody & { readonly media_type: string }) {
    this.media_type = media_type;
    this.filename = filename;
    this.content = content;
  }
}

/**
 * Declares a status whose reply is a document of one of several media types, for programs to read and caches to store: `output: { 200:
 * document('application/vc+jwt') }`. The operation returns a {@link DocumentBody}.
 */
export function document(...media_types: readonly string[]): OtherOutput<DocumentBody> {
  return { kind: 'document', media_types };
}

/** The content of a document, one of the declared media types, and how long a cache may store it (0: not at all). */
export type DocumentBody = {
  readonly media_type: string;
  readonly content: string | Buffer;
  readonly max_age_s: number;
};

/**
 * Declares a status without a body that redirects a browser: `output: { 303: redirect() }`. The operation returns a {@link RedirectBody}.
 */
export function redirect(): OtherOutput<RedirectBody> {
  return { kind: 'redirect' };
}

/** The target of a redirect: an absolute URL, or a path on this service. */
export type RedirectBody = { readonly location: string };

/** A cookie to set; `max_age_s` 0 deletes it. All cookies are HttpOnly, Secure and, without `cross_site`, SameSite=Lax. */
export type Cookie = {
  readonly name: string;
  readonly value: string;
  readonly max_age_s: number;
  readonly path: string;
  /** SameSite=None, for a cookie that must arrive when another site's page posts to this service. */
  readonly cross_site?: true;
};

/** A reply with its status, for operations that have several statuses or set cookies. */
export type Reply<Status = number, Body = unknown> = {
  readonly status: Status;
  readonly body: Body;
  readonly cookies: readonly Cookie[];
  /** The receipt of a payment; only for operations that take one. */
  readonly receipt?: Receipt | undefined;
};

/** The receipt of a payment, as a header. */
export type Receipt = { readonly name: (typeof receiptHeaders)[number]; readonly value: string };

/** What an operation returns for an output. */
type OutputBody<O> = O extends OtherOutput<infer Returned> ? Returned : O extends TSchema ? Static<O> : null;

type OutputReply<O extends Outputs> = { [Status in keyof O]: Reply<Status, OutputBody<O[Status]>> }[keyof O];

/** What `run` may return: the body, if the operation has one status, or a {@link Reply}. */
export type OperationResult<O extends Outputs> =
  | { [Status in keyof O]: OutputBody<O[Status]> }[keyof O]
  | OutputReply<O>;

/** The headers of a request that may have a payment (x402 version 2 and version 1). */
export type PaymentHeaders = {
  readonly 'payment-signature'?: string | undefined;
  readonly 'x-payment'?: string | undefined;
};

/** The payment of a request, as it was sent: in its headers, or as an argument of a tool. */
export type SentPayment = PaymentHeaders & {
  /** The payment in the arguments or the metadata of a tool call. */
  readonly argument?: unknown;
  /** The URL of the tool (`mcp://tool/…`), for the terms of its payment. */
  readonly resource?: string;
};

/** The headers of a reply that may have the receipt of a payment, of x402 version 2 and version 1. */
export const receiptHeaders = ['PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'] as const;

/** The properties of a request apart from its input. */
export type RequestFacts = {
  readonly id: string;
  /**
   * Identifies the request among its repetitions: the same for every request with one Idempotency-Key, and undefined without one. What an operation
   * commits before its transaction is known by it, so that a repetition after a crash continues it.
   */
  readonly repeat_id?: string;
  /** The client's network address, for throttling and the audit log. */
  readonly address: string;
  readonly user_agent: string | undefined;
  /** The Accept header, for documents that are available in several media types. */
  readonly accept: string | undefined;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The If-Match header: the versions of the resource that the client is willing to change. */
  readonly if_match: string | undefined;
  /** The payment, as it was sent; for operations that take one. */
  readonly payment: SentPayment;
  /** The Origin header: the site whose page sent the request. Undefined for most GET requests and for clients that are not browsers. */
  readonly origin: string | undefined;
};

/** What an operation receives: the services, the caller, and the properties of the request. */
export type Context<R extends Role = Role> = Services & {
  readonly caller: CallerWithRole<R>;
  readonly request: RequestFacts;
  /** Reads outside the transaction. An operation writes only inside it. */
  readonly database: Reader;
  /** Reads all that `read` reads as it was at one moment, for a reply that is streamed. It holds a connection until the iteration ends. */
  readonly readSnapshot: Database['readSnapshot'];
  /**
   * Runs the operation's only transaction. Its result must be the operation's reply: with an Idempotency-Key, the reply is stored in the
   * same transaction, so that a repeated request never takes effect twice.
   */
  readonly transaction: <Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: TransactionOptions,
  ) => Promise<Result>;
};

export type OperationDefinition<R extends Role, I extends TObject, O extends Outputs> = {
  /** `module.verbNoun`: the file is `src/modules/module/verb-noun.ts`. */
  readonly name: string;
  /** The title in the API reference, where the name does not read as one. */
  readonly title?: string;
  /** One or two short sentences for the API reference. */
  readonly summary: string;
  readonly who: AllowedCallers<R>;
  /** All input fields in one object; none by default. Fields in the path come from the path; the others are the query of a GET and the body of a POST. */
  readonly input?: I;
  readonly output: O;
  /** The refusals that are specific to this operation; none by default. Those of the HTTP server (401, 403, 422, 429 and others) are implied. */
  readonly refuses?: readonly RefusalCode[];
  /** Accepts an Idempotency-Key; for POSTs that create or pay. */
  readonly idempotent?: true;
  /**
   * The reply is a resource and has an ETag. A GET accepts If-None-Match. A PATCH or PUT accepts If-Match: its `run` calls `checkIfMatch` under
   * the resource's lock, and returns the row as the database stored it. The tag leaves out the fields in `without`.
   */
  readonly etag?: true | { readonly without: readonly string[] };
  /** Reads the payment of a request (`context.request.payment`), and its replies may have a receipt. */
  readonly takes_payment?: true;
  /** The cookie that the operation reads, and those that its replies may set, by name. */
  readonly cookies?: { readonly reads?: string; readonly sets?: readonly string[] };
  /** Samples for the API reference, where the examples of the single fields do not fit together. */
  readonly samples?: { readonly request?: object; readonly reply?: unknown };
  /** What a GET of this operation writes, and why. A GET of any other has no transaction, because reading must change nothing. */
  readonly writes_on_read?: string;
  /** Where a 201 is found, or a 202 followed: a path under /api/v1 for the Location header. */
  readonly location?: (body: LocatedBody<O>) => string;
  /** The tools of the MCP endpoint that call the operation; `src/tables/tools.ts` lists all of them. */
  readonly tools?: readonly ToolDeclaration[];
  /** What the schema cannot say about the input, and what depends on nothing that the operation locks or changes. */
  readonly checks?: readonly InputCheck<Static<I>>[];
  readonly run: (context: Context<R>, input: Static<I>) => Promise<OperationResult<O>>;
};

/**
 * Checks fields of an input, such as the two ends of a range or the strength of a password. The faults that all checks find and those of the schema are one
 * reply, so that nobody corrects one field only to learn of the next. A check that reads a field with a fault of the schema is left out.
 *
 * @throws Refusal with the status 422 that names the fields.
 */
export type InputCheck<Input> = (input: Input, context: CheckContext) => void | Promise<void>;

/** What a check may depend on besides the input. */
export type CheckContext = Pick<Services, 'config' | 'now'> & {
  readonly database: Reader;
  readonly caller: Caller;
};

/** A tool, and how it calls the operation that declares it. The schemas of the operation are those of the tool. */
export type ToolDeclaration = Tool & {
  /** Written for a model: what the tool returns, when to call it, and what to call before or after. */
  readonly description: string;
  /** Input fields of the operation that the tool sets itself. They are not among its arguments. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The tool changes or removes what cannot be restored by another call. */
  readonly isDestructive?: true;
  /** Calling the tool again with the same arguments changes nothing more. Tools that read always have this property. */
  readonly isIdempotent?: true;
};

type LocatedBody<O extends Outputs> = {
  [Status in keyof O & (201 | 202)]: OutputBody<O[Status]>;
}[keyof O & (201 | 202)];

/** An operation without its specific types, as the tables list it. Its caller and its input have been checked before `run` is called. */
export type Operation = Omit<
  OperationDefinition<Role, TObject, Outputs>,
  'run' | 'location' | 'input' | 'refuses' | 'checks'
> & {
  readonly input: TObject;
  readonly refuses: readonly RefusalCode[];
  readonly location?: (body: never) => string;
  readonly checks?: readonly InputCheck<never>[];
  /** A method, whose parameters TypeScript compares in both directions: the HTTP server calls it only with what `who` and `input` permit. */
  run(context: Context<never>, input: object): Promise<unknown>;
};

/** An operation with the types of its input and of its replies, for pages, which call it in process. */
export type TypedOperation<I extends TObject, O extends Outputs> = Omit<Operation, 'input' | 'output'> & {
  readonly input: I;
  readonly output: O;
};

/** The input of an operation, as a caller writes it. */
export type OperationInput<Op extends Operation> = Static<Op['input']>;

/** The body of any reply of an operation. */
export type OperationBody<Op extends Operation> = {
  [Status in keyof Op['output']]: OutputBody<Op['output'][Status]>;
}[keyof Op['output']];

const noInput = Type.Object({});

/**
 * Defines an operation. Validation, serialisation, authorisation and the OpenAPI document follow from this one value.
 */
export function operation<
  I extends TObject = typeof noInput,
  const O extends Outputs = Outputs,
  R extends Role = never,
>(definition: OperationDefinition<R, I, O>): TypedOperation<I, O> {
  // Without an input in the definition, `I` is its default.
  return { refuses: [], ...definition, input: definition.input ?? (noInput as TObject as I) };
}

/** Creates a reply with a status and, if the operation has any, cookies and the receipt of a payment. */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  cookies: readonly Cookie[] = [],
  receipt?: Receipt | null,
): Reply<Status, Body> {
  return new ReplyObject(status, body, cookies, receipt ?? undefined);
}

/** A class, so that a body with the same fields is not mistaken for a reply. */
class ReplyObject<Status, Body> implements Reply<Status, Body> {
  readonly status: Status;
  readonly body: Body;
  readonly cookies: readonly Cookie[];
  readonly receipt: Receipt | undefined;

  constructor(status: Status, body: Body, cookies: readonly Cookie[], receipt: Receipt | undefined) {
    this.status = status;
    this.body = body;
    this.cookies = cookies;
    this.receipt = receipt;
  }
}

/** Checks whether a result is a {@link Reply} and not a plain body. */
export function isReply(result: unknown): result is Reply {
  return result instanceof ReplyObject;
}

/** Checks whether a caller's role is among those that may call. */
export function mayCall(who: AllowedCallers, caller: LoggedInCaller | AnonymousCaller): boolean {
  return who === 'anyone' || (caller.role !== 'anonymous' && who.includes(caller.role));
}
