/** A field that was refused. */
export type FieldError = { readonly pointer: string; readonly detail: string };

type Problem = {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
};

/** The service refused a request. Decide by `code`; the message is for people and may change. */
export class TesseraError extends Error {
  override readonly name = 'TesseraError';
  readonly status: number;
  readonly code: string;
  /** Every field that was refused, by JSON pointer. */
  readonly errors: readonly FieldError[];
  /** Quote it when you ask the operator for help. */
  readonly request_id: string;
  /** The whole problem (RFC 9457), with the members that this code adds. */
  readonly problem: Readonly<Record<string, unknown>>;
  readonly headers: Headers;

  constructor(problem: Problem, headers: Headers) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code;
    this.errors = problem.errors ?? [];
    this.request_id = problem.request_id;
    this.problem = problem;
    this.headers = headers;
  }
}

/** Whether an error is a refusal with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is TesseraError {
  return error instanceof TesseraError && codes.some((code) => code === error.code);
}

/** Reads the refusal of a reply. What is between the program and the service may answer something else; its code is then `not_a_problem`. */
export async function readError(response: Response): Promise<TesseraError> {
  const text = await response.text();
  return new TesseraError(readProblem(text) ?? describeForeignReply(response, text), response.headers);
}

function readProblem(text: string): Problem | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'code' in value && 'detail' in value
      ? (value as Problem)
      : undefined;
  } catch {
    return undefined;
  }
}

function describeForeignReply({ status, statusText, headers }: Response, text: string): Problem {
  const title = `The reply ${status} ${statusText} does not come from Tessera.`;
  const detail = `${title} It begins: ${text.slice(0, 200)}`;
  return { status, code: 'not_a_problem', title, detail, request_id: headers.get('x-request-id') ?? '' };
}
