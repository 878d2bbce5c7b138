import type { Caller } from '#lib/caller.ts';
import { listPathFields, findFieldLocation, type Row } from '#platform/http/row.ts';
import { buildRowSteps, type RowSteps } from '#platform/http/row-steps.ts';
import type { Cookie, Operation, OperationBody, OperationInput, RequestFacts } from '#platform/operation.ts';
import type { Platform } from '#platform/platform.ts';
import { shareReads } from './share-reads.ts';

/**
 * Calls an operation as the visitor, with a payment for one that takes it, as a tool call has it. @returns the body of its reply.
 *
 * @throws Refusal as over HTTP.
 */
export type CallOperation = <Op extends Operation>(
  operation: Op,
  ...input: EmptyOr<OperationInput<Op>>
) => Promise<OperationBody<Op>>;

/** An operation without required fields may be called without an input. */
type EmptyOr<Input> = object extends Input
  ? [input?: Input, payment?: object]
  : [input: Input, payment?: object];

/** Who calls, with what request, under which key a repeated call is recognised, and where the cookies of replies go. */
type Calling = {
  readonly caller: Caller;
  readonly facts: RequestFacts;
  readonly key: string | undefined;
  readonly takeCookies: (cookies: readonly Cookie[]) => void;
};

/**
 * Prepares calls of the operations in the API's table. A page has no other way to data: role, input and reply are checked as over HTTP, so
 * it can show nothing that the API would refuse to the same caller.
 */
export function createOperationCalls(
  platform: Platform,
  rows: readonly Row[],
): (calling: Calling) => CallOperation {
  const byOperation = new Map<Operation, CalledRow>();
  for (const row of rows)
    byOperation.set(row.operation, { row, ...buildRowSteps(platform, row, row.operation) });
  return ({ caller, facts, key, takeCookies }) => {
    // What a form changes is read again each time; what a page only shows is read once.
    const reads = key === undefined ? shareReads(platform.database) : undefined;
    return async (operation, ...[input = {}, payment]) => {
      const called = byOperation.get(operation);
      if (!called) throw new Error(`${operation.name} is not in the table of the API`);
      called.checkCaller({ caller });
      const parsed = await called.parse(splitInput(called.row, input), caller);
      // Two operations of one form need two keys.
      const ownKey = operation.idempotent && key !== undefined && { key: `${operation.name}:${key}` };
      const { body, cookies } = await called.run({
        caller,
        facts: payment === undefined ? facts : { ...facts, payment: { argument: payment } },
        input: parsed,
        ...ownKey,
        ...(reads && { reads }),
      });
      if (called.row.method !== 'GET') reads?.forget();
      takeCookies(cookies);
      // `run` has compared the body with the operation's output.
      return body as OperationBody<typeof operation>;
    };
  };
}

type CalledRow = RowSteps & { readonly row: Row };

/** The parts of a request that would carry this input. */
function splitInput(row: Row, input: object) {
  const inPath = listPathFields(row.path);
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const params = Object.fromEntries(given.filter(([name]) => inPath.includes(name)));
  const others = Object.fromEntries(given.filter(([name]) => !inPath.includes(name)));
  return findFieldLocation(row) === 'query'
    ? { params, query: others, body: undefined }
    : { params, query: {}, body: others };
}
