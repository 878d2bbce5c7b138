/** The operations of the API by name, in the form that openapi-typescript writes. */
export type Operations = object;

/** A part of the parameters of an operation: what its path, its query or its headers have. */
type PartOf<Operation, Place extends string> = Operation extends {
  readonly parameters: { readonly [P in Place]?: infer Part };
}
  ? [NonNullable<Part>] extends [never]
    ? unknown
    : Part extends undefined
      ? unknown
      : NonNullable<Part>
  : unknown;

type BodyOf<Operation> = Operation extends { readonly requestBody: { readonly content: infer Content } }
  ? { readonly body: Content[keyof Content] }
  : Operation extends { readonly requestBody?: { readonly content: infer Content } }
    ? { readonly body?: Content[keyof Content] }
    : unknown;

/** What an operation takes: the parameters of its path and its query by name, and its body as `body`. */
export type InputOf<Operation> = PartOf<Operation, 'path'> & PartOf<Operation, 'query'> & BodyOf<Operation>;

type Success = 200 | 201 | 202 | 204;

/** The types of content that are read as JSON. Any other content is handed over as the `Response`, whose body is a stream. */
type JsonType = `${string}/json` | `${string}+json` | 'application/vc';

type ContentOf<Reply> = Reply extends { readonly content: infer Content }
  ? { [Type in keyof Content]: Type extends JsonType ? Content[Type] : Response }[keyof Content]
  : undefined;

/** What an operation answers: the JSON of its reply, `undefined` without content, or a `Response` for a file. */
export type OutputOf<Operation> = Operation extends { readonly responses: infer Replies }
  ? ContentOf<Replies[keyof Replies & Success]>
  : never;

type PageOf<Item> = {
  readonly data: readonly Item[];
  readonly pagination: { readonly next_cursor: string | null };
};

/** An item of the list that an operation answers page by page, or `never`. */
export type ItemOf<Operation> = OutputOf<Operation> extends PageOf<infer Item> ? Item : never;

/** What a request may have beside its input. */
export type RequestOptions<Headers = unknown> = {
  /**
   * Makes retries safe where an operation creates something. A random one is sent where an operation takes one and none is given; give your own
   * if your program may start again in between.
   */
  readonly idempotencyKey?: string;
  readonly headers?: Partial<Headers> & Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** A reply with its status and headers, for those who need an `ETag` or a rate limit. */
export type Reply<Data> = { readonly data: Data; readonly status: number; readonly headers: Headers };

type Call<Operation, Result> =
  Partial<InputOf<Operation>> extends InputOf<Operation>
    ? (input?: InputOf<Operation>, options?: RequestOptions<PartOf<Operation, 'header'>>) => Result
    : (input: InputOf<Operation>, options?: RequestOptions<PartOf<Operation, 'header'>>) => Result;

/** One operation: called, it answers the data; `fetchReply` also has the status and the headers; `readAll` reads a list to its end. */
export type CallableOperation<Operation> = Call<Operation, Promise<OutputOf<Operation>>> & {
  readonly fetchReply: Call<Operation, Promise<Reply<OutputOf<Operation>>>>;
} & ([ItemOf<Operation>] extends [never]
    ? unknown
    : { readonly readAll: Call<Operation, AsyncGenerator<ItemOf<Operation>, void, void>> });

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;

/** All operations, grouped as in the reference: `client.jobs.createJob(…)`. */
export type Client<All extends Operations> = {
  readonly [Group in GroupOf<keyof All>]: {
    readonly [Name in keyof All as Name extends `${Group}.${infer Verb}` ? Verb : never]: CallableOperation<
      All[Name]
    >;
  };
};
