import fc from 'fast-check';
import type { ApiOperation } from './document.ts';
import { generateRequests, type FuzzedRequest, type FuzzContext } from './requests.ts';
import { buildSystematicRequests } from './systematic.ts';
import { createJudge, type RawReply } from './judge.ts';

export type Send = (request: FuzzedRequest) => Promise<RawReply>;

export type FuzzOptions = FuzzContext & {
  readonly send: Send;
  readonly seed: number;
  /** The number of random requests, without those for shrinking. */
  readonly runs: number;
};

/** The number of replies of each status. */
export type Tally = ReadonlyMap<number, number>;

/**
 * Sends requests of all kinds to an operation and compares every reply with the document.
 *
 * @throws Error with the seed, the faults and the smallest request that shows them.
 */
export async function fuzzOperation(
  operation: ApiOperation,
  { send, seed, runs, ...surroundings }: FuzzOptions,
): Promise<Tally> {
  const judge = createJudge(operation, surroundings.callers);
  const tally = new Map<number, number>();
  const attempt = async (request: FuzzedRequest) => {
    const reply = await send(request);
    tally.set(reply.status, (tally.get(reply.status) ?? 0) + 1);
    return judge(request, reply).join('; ');
  };
  for (const request of buildSystematicRequests(operation, { seed, ...surroundings })) {
    const found = await attempt(request);
    if (found !== '')
      throw new Error(
        `${formatFailure(operation, found, request)}\n  seed ${seed}, before the random requests`,
      );
  }
  const property = fc.asyncProperty(generateRequests(operation, surroundings), async (request) => {
    const found = await attempt(request);
    if (found !== '') throw new Error(found);
  });
  const limit = fc.interruptAfterTimeLimit(20_000) as fc.Plugin<[FuzzedRequest]>;
  const outcome = await fc.check(property, { seed, numRuns: runs, plugins: [limit] });
  if (outcome.failed && outcome.counterexample)
    throw new Error(formatShrunkFailure(operation, outcome, outcome.counterexample[0]));
  return tally;
}

function formatShrunkFailure(
  operation: ApiOperation,
  run: fc.RunDetails<[FuzzedRequest]>,
  request: FuzzedRequest,
): string {
  const { seed, counterexamplePath, numShrinks, errorInstance } = run;
  const found = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${formatFailure(operation, found, request)}\n  seed ${seed}, path ${counterexamplePath}, shrunk ${numShrinks} times`;
}

function formatFailure({ id }: ApiOperation, found: string, request: FuzzedRequest): string {
  const { method, url, caller, headers, body } = request;
  const { authorization, ...others } = headers;
  const sent = [
    `${method} ${url} as ${caller}${authorization === undefined ? '' : `, authorization ${authorization.slice(0, 20)}…`}`,
    ...Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(shortenText(value))}`),
    ...(body === undefined ? [] : [shortenText(body)]),
  ];
  return `${id} ${found}\n  ${sent.join('\n  ')}`;
}

function shortenText(text: string): string {
  return text.length > 600 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}
