import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, it, test } from 'vitest';
import { openApp, type App } from '../../app.ts';
import { startTelemetry, type Telemetry } from './telemetry.ts';
import { Refusal } from '#lib/refusal.ts';
import { readConfig } from '#platform/config.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';

type SentSpan = {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly events?: readonly unknown[];
  readonly attributes: Readonly<Record<string, unknown>>;
};

/** OTLP's JSON, as far as it is looked at. */
type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<SentSpan, 'attributes'> & { readonly attributes: Attributes })[];
    }[];
  }[];
};

type Collector = {
  readonly url: string;
  readonly texts: string[];
  spans(): SentSpan[];
  resource(): Record<string, unknown>;
};

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector as OTLP/HTTP describes one: takes JSON at /v1/traces. */
async function startCollector(status = () => 200): Promise<Collector> {
  const texts: string[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (request.url === '/v1/traces' && request.headers['content-type'] === 'application/json')
        texts.push(text);
      response.writeHead(status(), { 'content-type': 'application/json' }).end('{}');
    });
  });
  const url = await listening(server);
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const groups = () => texts.flatMap((text) => (JSON.parse(text) as Sent).resourceSpans);
  const scopes = () => groups().flatMap(({ scopeSpans }) => scopeSpans);
  return {
    url,
    texts,
    spans: () =>
      scopes().flatMap(({ spans }) => spans.map((span) => ({ ...span, attributes: plain(span.attributes) }))),
    resource: () => plain(groups()[0]!.resource.attributes),
  };
}

function plain(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

const root = path.join(import.meta.dirname, '../../..');
const silent = pino({ level: 'silent' });

async function traced(url: string, log = silent): Promise<Telemetry> {
  return (await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, log))!;
}

/** A Tessera that listens, and tells the collector. */
async function startTraced(telemetry: Telemetry): Promise<{ app: App; url: string }> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-traces-'));
  const config = readConfig({ TESSERA_DATA_DIR: dataDir, TESSERA_RATE_LIMITS: 'off' });
  const app = await openApp(config, await cloneDatabase(), {
    clock: createFakeClock(),
    log: silent,
    telemetry,
  });
  closing.push(
    () => rm(dataDir, { recursive: true, force: true }),
    () => app.close(),
  );
  app.server.get('/test/defect', () => {
    throw new Error('the secret of ada@example.org');
  });
  app.server.get('/test/away', () => {
    throw new Refusal('database_unavailable');
  });
  app.server.get('/test/forever', () => new Promise(() => undefined));
  return { app, url: await app.server.listen({ host: '127.0.0.1', port: 0 }) };
}

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736';
const caller_span_id = '00f067aa0ba902b7';
const traceparent = `00-${trace_id}-${caller_span_id}-01`;

const ada = {
  email: 'ada@example.org',
  password: 'Correct-Horse-7-Battery',
  name: 'Ada Countess',
  role: 'member',
};

function register(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(ada),
  });
}

describe('with a collector', () => {
  it('a request is a span in the trace of its caller, with what it did in the database inside', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    const { url } = await startTraced(telemetry);
    const answer = await register(url, { traceparent, tracestate: 'vendor=ada@example.org' });
    expect(answer.status).toBe(201);
    await telemetry.close();

    const request = collector.spans().find(({ kind }) => kind === 2)!;
    expect(request).toMatchObject({
      name: 'POST /api/v1/auth/register',
      traceId: trace_id,
      parentSpanId: caller_span_id,
      status: { code: 0 },
    });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/api/v1/auth/register',
      'http.response.status_code': 201,
      'tessera.request_id': answer.headers.get('x-request-id'),
    });
    const transaction = collector.spans().find(({ name }) => name === 'transaction')!;
    expect(transaction).toMatchObject({
      traceId: trace_id,
      parentSpanId: request.spanId,
      attributes: { 'db.system.name': 'postgresql' },
    });
    const insert = collector.spans().find(({ name }) => name === 'insert users')!;
    expect(insert).toMatchObject({ traceId: trace_id, parentSpanId: transaction.spanId });
    expect(insert.attributes['tessera.statement']).toMatch(/^[\w-]{27}$/);
    expect(collector.resource()).toMatchObject({ 'service.name': 'tessera' });
  });

  it('every run of a background task is a trace of its own', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    const { app, url } = await startTraced(telemetry);
    await register(url);
    await app.platform.queue.drain(app.platform);
    await telemetry.close();

    const runs = collector.spans().filter(({ name }) => name.startsWith('task '));
    const mailed = runs.find(({ name }) => name === 'task auth.sendVerification')!;
    expect(mailed.attributes).toEqual({ 'tessera.task': 'auth.sendVerification', 'tessera.attempt': 1 });
    expect(mailed.parentSpanId).toBeUndefined();
    expect(collector.spans().some(({ parentSpanId }) => parentSpanId === mailed.spanId)).toBe(true);
  });

  it('no personal data, token, path or query leaves in a span', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    const { app, url } = await startTraced(telemetry);
    const { access_token, user } = (await (
      await register(url, { traceparent, tracestate: 'v=tracked' })
    ).json()) as any; // oxlint-disable-line typescript/no-explicit-any
    const authorization = `Bearer ${access_token}`;
    await fetch(`${url}/api/v1/tasks/${user.id}?email=ada%40example.org&token=seventeen`, {
      headers: { authorization, 'user-agent': 'AdaBrowser' },
    });
    await fetch(`${url}/nowhere/ada?token=seventeen`, { headers: { authorization: 'Bearer eyJfalse' } });
    await fetch(`${url}/test/defect`);
    await app.platform.queue.drain(app.platform);
    await telemetry.close();

    expect(collector.spans().length).toBeGreaterThan(5);
    const everything = collector.texts.join();
    for (const secret of [
      /ada/i,
      /countess/i,
      /horse/i,
      /seventeen/,
      /eyJ/,
      /tracked/,
      /127\.0\.0\.1/,
      new RegExp(user.id),
      /\?/,
    ])
      expect(everything).not.toMatch(secret);
  });

  it('a failed request tells its stable code; a refused one is no failure', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    const { url } = await startTraced(telemetry);
    for (const at of ['/test/defect', '/test/away', '/api/v1/auth/me', '/nowhere']) await fetch(url + at);
    await fetch(`${url}/api/v1/auth/me`, { method: 'OPTIONS' });
    await telemetry.close();

    const told = collector
      .spans()
      .map(({ name, status, attributes }) => [
        name,
        status.code,
        attributes['http.response.status_code'],
        attributes['error.type'],
      ]);
    expect(told).toEqual([
      ['GET /test/defect', 2, 500, 'internal_error'],
      ['GET /test/away', 2, 503, 'database_unavailable'],
      ['GET /api/v1/auth/me', 0, 401, undefined],
      ['GET', 0, 404, undefined],
      ['OPTIONS', 0, 204, undefined],
    ]);
    expect(collector.spans().every(({ events, status }) => !events?.length && !status.message)).toBe(true);
  });

  it('a client that goes away, and a method that nobody knows, are told as such', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    const { app, url } = await startTraced(telemetry);
    const leaving = httpRequest(`${url}/test/forever`).on('error', () => undefined);
    leaving.end();
    const [, response] = (await once(app.server.server, 'request')) as [unknown, ServerResponse];
    leaving.destroy();
    await once(response, 'close');
    await exchanged(url, 'PROPFIND /api/v1/auth/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await telemetry.close();

    const [left, odd] = collector.spans();
    expect(left).toMatchObject({
      name: 'GET /test/forever',
      status: { code: 2 },
      attributes: { 'error.type': 'client_closed_request' },
    });
    expect(left!.attributes).not.toHaveProperty('http.response.status_code');
    expect(odd).toMatchObject({ name: 'HTTP', attributes: { 'http.request.method': '_OTHER' } });
  });

  it.each([
    ['malformed', 'ada'],
    ['of no version', `ff-${trace_id}-${caller_span_id}-01`],
    ['all zeros', `00-${'0'.repeat(32)}-${caller_span_id}-01`],
    ['written twice', `${traceparent}, ${traceparent}`],
  ])('a traceparent that is %s begins a new trace', async (_, header) => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    telemetry.startRequestSpan('GET /', {}, header).end({}, undefined);
    await telemetry.close();
    const [span] = collector.spans();
    expect(span!.parentSpanId).toBeUndefined();
    expect(span!.traceId).not.toBe(trace_id);
  });

  it('what the caller chose not to sample is not sent', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    telemetry.startRequestSpan('GET /', {}, `00-${trace_id}-${caller_span_id}-00`).end({}, undefined);
    await telemetry.close();
    expect(collector.texts).toEqual([]);
  });

  it('a step outside of any trace leaves no span, and a failed step tells the code of its error', async () => {
    const collector = await startCollector();
    const telemetry = await traced(collector.url);
    expect(await telemetry.traceStep('alone', {}, async () => 7)).toBe(7);
    const span = telemetry.startRequestSpan('GET /', {}, undefined);
    const failing = (error: Error) =>
      span.runInside(async () => {
        const step = telemetry.traceStep('step', {}, async () => {
          throw error;
        });
        await expect(step).rejects.toBe(error);
      });
    await failing(Object.assign(new Error('ada@example.org'), { code: '23505' }));
    await failing(new TypeError('ada@example.org'));
    await failing(Object.assign(new Error(''), { code: 'ada@example.org', name: 'ada lovelace' }));
    await failing(new Refusal('member_not_found'));
    span.end({}, undefined);
    await telemetry.close();
    expect(collector.spans().map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['step', '23505'],
      ['step', 'TypeError'],
      ['step', 'unknown'],
      ['step', undefined],
      ['GET /', undefined],
    ]);
  });

  it('the log tells once that traces do not arrive, and once that they arrive again', async () => {
    let status = 400;
    const collector = await startCollector(() => status);
    const lines: string[] = [];
    const telemetry = await traced(
      collector.url,
      pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
    );
    const batch = async () => {
      const sent = collector.texts.length;
      // A full batch goes at once, without waiting for its time.
      for (let index = 0; index < 512; index++)
        telemetry.startRequestSpan('GET /', {}, undefined).end({}, undefined);
      await expect.poll(() => collector.texts.length).toBe(sent + 1);
    };
    await batch();
    await expect.poll(() => lines.length).toBe(1);
    await batch();
    status = 200;
    await batch();
    await expect.poll(() => lines.length).toBe(2);
    await telemetry.close();
    expect(lines[0]).toContain('traces do not reach the collector');
    expect(lines[1]).toContain('traces reach the collector again');
  });
});

/** Speaks raw HTTP, because clients do not let odd requests through. */
async function exchanged(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test('with a collector that is away requests are answered, and a stop takes five seconds at most', async () => {
  const mute = createServer(() => undefined);
  const never = await listening(mute);
  closing.push(
    () => mute.close(),
    () => mute.closeAllConnections(),
  );
  const gone = createServer();
  const refuses = await listening(gone);
  gone.close();
  const lastsAtMost = async (stopped: Promise<unknown>) => {
    const begun = performance.now();
    await stopped;
    expect(performance.now() - begun).toBeLessThan(5_500);
  };
  const served = async (collector: string) => {
    const telemetry = await traced(collector);
    const { url } = await startTraced(telemetry);
    expect((await register(url)).status).toBe(201);
    await lastsAtMost(telemetry.close());
    expect((await fetch(`${url}/health`)).status).toBe(200);
  };
  // Also when a try is under way, nothing keeps the process from ending.
  const ended = run(`
    const telemetry = await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: '${never}' }, { warn() {} });
    telemetry.startRequest('GET /', {}, undefined).end({}, undefined);
    const begun = performance.now();
    process.on('exit', () => console.log(Math.round(performance.now() - begun)));
    await telemetry.close();`);
  await Promise.all([served(never), served(refuses)]);
  expect(Number(await ended)).toBeLessThan(5_500);
});

test('the service sends its last traces when it stops', async () => {
  const collector = await startCollector();
  const { host, port, user, password = '', database } = await cloneDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tessera-traces-'));
  closing.push(() => rm(dataDir, { recursive: true, force: true }));
  const apiPort = await freePort();
  const environment = {
    TESSERA_DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
    TESSERA_DATA_DIR: dataDir,
    TESSERA_PORT: String(apiPort),
    TESSERA_INTERNAL_PORT: String(await freePort()),
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'tessera-one',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  };
  const child = spawn(process.execPath, ['src/main.js', 'serve'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closing.push(() => child.kill('SIGKILL'));
  const ended = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await expect.poll(() => output, { timeout: 20_000 }).toContain('tessera ready');
  await fetch(`http://127.0.0.1:${apiPort}/health`);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(collector.spans().map(({ name }) => name)).toContain('GET /health');
  expect(collector.resource()).toMatchObject({
    'service.name': 'tessera-one',
    'deployment.environment.name': 'test',
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = new URL(await listening(server));
  server.close();
  await once(server, 'close');
  return Number(port);
}

describe('by default', () => {
  const listed = `console.log(JSON.stringify([...loaded].map((url) => /@opentelemetry\\/([^/]+)/.exec(url)?.[1]).filter(Boolean)));`;

  it('nothing of the SDK is loaded', async () => {
    const output = await run(
      `await import('./src/command.ts'); console.log(await startTelemetry({}, undefined));${listed}`,
    );
    const [started, modules] = output.trim().split('\n');
    expect(started).toBe('undefined');
    // The metrics' client loads the bare interfaces itself.
    expect((JSON.parse(modules!) as string[]).filter((name) => name !== 'api')).toEqual([]);
  });

  it('the SDK is loaded once a collector is named', async () => {
    const output = await run(
      `await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, undefined);${listed}`,
    );
    expect(JSON.parse(output)).toContain('sdk-trace');
  });
});

/** Runs statements in a process of their own, which keeps a list of the modules that it loads. */
async function run(statements: string): Promise<string> {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    const { startTelemetry } = await import('#platform/telemetry/telemetry.ts');
    ${statements}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return output;
}

describe('the environment', () => {
  const opened = (environment: Record<string, string>) => startTelemetry(environment, silent);

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' },
  ])('%j asks for no traces', async (environment) => {
    expect(await opened(environment as Record<string, string>)).toBeUndefined();
  });

  it('the address for traces is used as it is', async () => {
    const collector = await startCollector();
    const telemetry = (await opened({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    }))!;
    telemetry.startRequestSpan('GET /', {}, undefined).end({}, undefined);
    await telemetry.close();
    expect(collector.spans()).toHaveLength(1);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is wrong'],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://user:hunter2@collector' },
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is wrong',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL is wrong',
    ],
  ])('%j is refused in one clear line', async (environment, line) => {
    await expect(opened(environment as Record<string, string>)).rejects.toThrow(line);
    await expect(opened(environment as Record<string, string>)).rejects.not.toThrow('hunter2');
  });
});
