import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendRequest, type PreparedRequest } from './send-request.ts';
import { TesseraError } from './tessera-error.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const buildProblem = (status: number, code: string, headers: Readonly<Record<string, string>> = {}) =>
  new Response(JSON.stringify({ status, code, title: 'No.', detail: 'No.', request_id: 'r-1', errors: [] }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  });

const read: PreparedRequest = { method: 'GET', target: '/api/v1/orgs/me', headers: {} };
const create: PreparedRequest = { method: 'POST', target: '/api/v1/orgs/me/jobs', headers: {}, body: '{}' };
const createWithKey: PreparedRequest = { ...create, headers: { 'idempotency-key': 'a' } };

/** Sends a request to a service that gives these answers, one after the other, and lets all waits pass. */
async function send(
  request: PreparedRequest,
  answers: readonly (Response | Error)[],
  options: { readonly retries?: number; readonly wait_ms_max?: number } = {},
) {
  const times: number[] = [];
  const fetch = vi.fn(() => {
    times.push(Date.now());
    const answer = answers[times.length - 1]!;
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer.clone());
  });
  const sent = sendRequest({ url: 'https://tessera.example/', fetch, ...options }, request).then(
    (response) => response.status,
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return { result: await sent, calls: times.length, waited_ms: times.at(-1)! - times[0]!, fetch };
}

const ok = new Response('{}', { status: 200 });

test.each([
  ['a read after 503', read, buildProblem(503, 'service_overloaded')],
  ['a read after a broken connection', read, new TypeError('fetch failed')],
  ['a creation with a key after 503', createWithKey, buildProblem(503, 'service_overloaded')],
  ['a creation with a key after a broken connection', createWithKey, new TypeError('fetch failed')],
  ['a creation without a key after 429, which did nothing', create, buildProblem(429, 'too_many_requests')],
])('repeats %s', async (_, request, first) => {
  expect(await send(request, [first, ok])).toMatchObject({ result: 200, calls: 2 });
});

test.each([
  ['a creation without a key after 503', create, buildProblem(503, 'service_overloaded')],
  ['a creation without a key after a broken connection', create, new TypeError('fetch failed')],
  ['a refusal', read, buildProblem(404, 'job_not_found')],
  ['a defect of the service', read, buildProblem(500, 'internal_error')],
  [
    'a stream, which is used up',
    { ...createWithKey, body: new Blob(['a']).stream() },
    buildProblem(503, 'service_overloaded'),
  ],
])('does not repeat %s', async (_, request, first) => {
  const { result, calls } = await send(request, [first, ok]);
  expect(result).toBeInstanceOf(Error);
  expect(calls).toBe(1);
});

test('waits as long as Retry-After says, and a little longer, so that many clients do not come back together', async () => {
  const { waited_ms } = await send(read, [
    buildProblem(429, 'too_many_requests', { 'retry-after': '7' }),
    ok,
  ]);
  expect(waited_ms).toBeGreaterThanOrEqual(7_500);
  expect(waited_ms).toBeLessThanOrEqual(8_000);
});

test('without Retry-After, waits double, and after the last repetition the refusal is thrown', async () => {
  const full = buildProblem(503, 'service_overloaded');
  const { result, calls, waited_ms } = await send(read, [full, full, full, full, ok]);
  expect(result).toBeInstanceOf(TesseraError);
  expect(result).toMatchObject({ code: 'service_overloaded', request_id: 'r-1' });
  expect(calls).toBe(4);
  expect(waited_ms).toBeGreaterThanOrEqual(1_750);
  expect(waited_ms).toBeLessThanOrEqual(3_500);
});

test('a wait of hours is an error at once, which says how long it is', async () => {
  const { result, calls } = await send(read, [
    buildProblem(429, 'too_many_requests', { 'retry-after': '40000' }),
  ]);
  expect(calls).toBe(1);
  expect((result as TesseraError).headers.get('retry-after')).toBe('40000');
});

test('a reply that is not from the service keeps its status and its beginning', async () => {
  const { result } = await send(read, [new Response('<html>Bad gateway</html>', { status: 502 })]);
  expect(result).toMatchObject({
    status: 502,
    code: 'not_a_problem',
    message: expect.stringContaining('Bad gateway'),
  });
});

test('an aborted signal ends a wait at once', async () => {
  const controller = new AbortController();
  const fetch = () => Promise.resolve(buildProblem(503, 'service_overloaded', { 'retry-after': '30' }));
  const sent = sendRequest({ url: 'https://tessera.example', fetch }, { ...read, signal: controller.signal });
  const outcome = sent.catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(1_000);
  controller.abort(new Error('enough'));
  expect(await outcome).toEqual(new Error('enough'));
  expect(vi.getTimerCount()).toBe(0);
});

test('asks for the token with each attempt', async () => {
  const tokens = ['first', 'second'];
  const seen: unknown[] = [];
  const fetch = (_: unknown, init?: RequestInit) => {
    seen.push(new Headers(init?.headers).get('authorization'));
    return Promise.resolve(seen.length === 1 ? buildProblem(503, 'service_overloaded') : ok.clone());
  };
  const sent = sendRequest({ url: 'https://tessera.example', fetch, token: () => tokens.shift()! }, read);
  await vi.runAllTimersAsync();
  await sent;
  expect(seen).toEqual(['Bearer first', 'Bearer second']);
});
