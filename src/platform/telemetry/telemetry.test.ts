import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, it, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { readConfig } from '#platform/config.ts';
import { cloneDatabase, createFakeClock } from '#test/harness.ts';
import { findFreePorts, prepareDataDir, runTessera } from '#test/process/run-tessera.ts';
import { openApp, type App } from '../../app/app.ts';
import { startTelemetry, type Telemetry } from './telemetry.ts';

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

/** The parts of OTLP's JSON that the tests read. */
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
  listSpans(): SentSpan[];
  readResource(): Record<string, unknown>;
};

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a collector that accepts JSON at /v1/traces, as OTLP/HTTP specifies. */
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
  const url = await listen(server);
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const listGroups = () => texts.flatMap((text) => (JSON.parse(text) as Sent).resourceSpans);
  const listScopes = () => listGroups().flatMap(({ scopeSpans }) => scopeSpans);
  return {
    url,
    texts,
    listSpans: () =>
      listScopes().flatMap(({ spans }) =>
        spans.map((span) => ({ ...span, attributes: toRecord(span.attributes) })),
      ),
    readResource: () => toRecord(listGroups()[0]!.resource.attributes),
  };
}

function toRecord(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

const root = path.join(import.meta.dirname, '../../..');
const silent = pino({ level: 'silent' });

async function startTestTelemetry(url: string, log = silent): Promise<Telemetry> {
  return (await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, log))!;
}

/** Starts an application that listens and sends traces. */
async function startTracedApp(telemetry: Telemetry): Promise<{ app: App; url: string }> {
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
  app.server.get('/test/unavailable', () => {
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
  it('a request is a span in the trace of its caller, with spans for its database statements', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    const { url } = await startTracedApp(telemetry);
    const reply = await register(url, { traceparent, tracestate: 'vendor=ada@example.org' });
    expect(reply.status).toBe(201);
    await telemetry.close();

    const request = collector.listSpans().find(({ kind }) => kind === 2)!;
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
      'tessera.request_id': reply.headers.get('x-request-id'),
    });
    const transaction = collector.listSpans().find(({ name }) => name === 'transaction')!;
    expect(transaction).toMatchObject({
      traceId: trace_id,
      parentSpanId: request.spanId,
      attributes: { 'db.system.name': 'postgresql' },
    });
    const insert = collector.listSpans().find(({ name }) => name === 'insert users')!;
    expect(insert).toMatchObject({ traceId: trace_id, parentSpanId: transaction.spanId });
    expect(insert.attributes['tessera.statement']).toMatch(/^[\w-]{27}$/);
    expect(collector.readResource()).toMatchObject({ 'service.name': 'tessera' });
  });

  it('every run of a background task is a separate trace', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    const { app, url } = await startTracedApp(telemetry);
    await register(url);
    await app.platform.queue.drain(app.platform);
    await telemetry.close();

    const runs = collector.listSpans().filter(({ name }) => name.startsWith('task '));
    const mailRun = runs.find(({ name }) => name === 'task accounts.sendVerification')!;
    expect(mailRun.attributes).toEqual({ 'tessera.task': 'accounts.sendVerification', 'tessera.attempt': 1 });
    expect(mailRun.parentSpanId).toBeUndefined();
    expect(collector.listSpans().some(({ parentSpanId }) => parentSpanId === mailRun.spanId)).toBe(true);
  });

  it('a span contains no personal data, token, path or query', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    const { app, url } = await startTracedApp(telemetry);
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

    expect(collector.listSpans().length).toBeGreaterThan(5);
    const everything = collector.texts.join();
    for (const secret of [
      /\bada\b/i,
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

  it('a failed request has its stable code, and a refused request is not a failure', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    const { url } = await startTracedApp(telemetry);
    for (const at of ['/test/defect', '/test/unavailable', '/api/v1/auth/me', '/nowhere'])
      await fetch(url + at);
    await fetch(`${url}/api/v1/auth/me`, { method: 'OPTIONS' });
    await telemetry.close();

    const outcomes = collector
      .listSpans()
      .map(({ name, status, attributes }) => [
        name,
        status.code,
        attributes['http.response.status_code'],
        attributes['error.type'],
      ]);
    expect(outcomes).toEqual([
      ['GET /test/defect', 2, 500, 'internal_error'],
      ['GET /test/unavailable', 2, 503, 'database_unavailable'],
      ['GET /api/v1/auth/me', 0, 401, undefined],
      ['GET', 0, 404, undefined],
      ['OPTIONS', 0, 204, undefined],
    ]);
    expect(collector.listSpans().every(({ events, status }) => !events?.length && !status.message)).toBe(
      true,
    );
  });

  it('marks a request whose client disconnected, and one with an unknown method', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    const { app, url } = await startTracedApp(telemetry);
    const leaving = httpRequest(`${url}/test/forever`).on('error', () => undefined);
    leaving.end();
    const [, response] = (await once(app.server.server, 'request')) as [unknown, ServerResponse];
    leaving.destroy();
    await once(response, 'close');
    await exchange(url, 'PROPFIND /api/v1/auth/me HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await telemetry.close();

    const [left, odd] = collector.listSpans();
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
    ['of an invalid version', `ff-${trace_id}-${caller_span_id}-01`],
    ['all zeros', `00-${'0'.repeat(32)}-${caller_span_id}-01`],
    ['present twice', `${traceparent}, ${traceparent}`],
  ])('a traceparent that is %s starts a new trace', async (_, header) => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    telemetry.startRequestSpan('GET /', {}, header).end({}, undefined);
    await telemetry.close();
    const [span] = collector.listSpans();
    expect(span!.parentSpanId).toBeUndefined();
    expect(span!.traceId).not.toBe(trace_id);
  });

  it('does not send a span that the caller chose not to sample', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    telemetry.startRequestSpan('GET /', {}, `00-${trace_id}-${caller_span_id}-00`).end({}, undefined);
    await telemetry.close();
    expect(collector.texts).toEqual([]);
  });

  it('a step outside a trace has no span, and the span of a failed step has the code of its error', async () => {
    const collector = await startCollector();
    const telemetry = await startTestTelemetry(collector.url);
    expect(await telemetry.traceStep('alone', {}, async () => 7)).toBe(7);
    const span = telemetry.startRequestSpan('GET /', {}, undefined);
    const failStep = (error: Error) =>
      span.runInside(async () => {
        const step = telemetry.traceStep('step', {}, async () => {
          throw error;
        });
        await expect(step).rejects.toBe(error);
      });
    await failStep(Object.assign(new Error('ada@example.org'), { code: '23505' }));
    await failStep(new TypeError('ada@example.org'));
    await failStep(Object.assign(new Error(''), { code: 'ada@example.org', name: 'ada lovelace' }));
    await failStep(new Refusal('member_not_found'));
    span.end({}, undefined);
    await telemetry.close();
    expect(collector.listSpans().map(({ name, attributes }) => [name, attributes['error.type']])).toEqual([
      ['step', '23505'],
      ['step', 'TypeError'],
      ['step', 'unknown'],
      ['step', undefined],
      ['GET /', undefined],
    ]);
  });

  it('logs once that traces do not reach the collector, and once that they reach it again', async () => {
    let status = 400;
    const collector = await startCollector(() => status);
    const lines: string[] = [];
    const telemetry = await startTestTelemetry(
      collector.url,
      pino({ level: 'warn' }, { write: (line) => void lines.push(line) }),
    );
    const sendBatch = async () => {
      const sent = collector.texts.length;
      // A full batch is sent at once, without waiting for the interval.
      for (let index = 0; index < 512; index++)
        telemetry.startRequestSpan('GET /', {}, undefined).end({}, undefined);
      await expect.poll(() => collector.texts.length).toBe(sent + 1);
    };
    await sendBatch();
    await expect.poll(() => lines.length).toBe(1);
    await sendBatch();
    status = 200;
    await sendBatch();
    await expect.poll(() => lines.length).toBe(2);
    await telemetry.close();
    expect(lines[0]).toContain('traces do not reach the collector');
    expect(lines[1]).toContain('traces reach the collector again');
  });
});

/** Sends raw HTTP, because clients refuse to send unusual requests. */
async function exchange(url: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.end(text);
  let reply = '';
  for await (const chunk of socket) reply += String(chunk);
  return reply;
}

test('an unavailable collector delays no request, and a stop by at most five seconds', async () => {
  const silent = createServer(() => undefined);
  const silentUrl = await listen(silent);
  closing.push(
    () => silent.close(),
    () => silent.closeAllConnections(),
  );
  const closed = createServer();
  const closedUrl = await listen(closed);
  closed.close();
  const expectShortWait = async (stopping: Promise<unknown>) => {
    const start_ms = performance.now();
    await stopping;
    expect(performance.now() - start_ms).toBeLessThan(8_000);
  };
  const serveWith = async (collector: string) => {
    const telemetry = await startTestTelemetry(collector);
    const { url } = await startTracedApp(telemetry);
    expect((await register(url)).status).toBe(201);
    await expectShortWait(telemetry.close());
    expect((await fetch(`${url}/health`)).status).toBe(200);
  };
  // A running attempt to send does not keep the process from ending.
  const running = run(`
    const telemetry = await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: '${silentUrl}' }, { warn() {} });
    telemetry.startRequestSpan('GET /', {}, undefined).end({}, undefined);
    const start_ms = performance.now();
    process.on('exit', () => console.log(Math.round(performance.now() - start_ms)));
    await telemetry.close();`);
  await Promise.all([serveWith(silentUrl), serveWith(closedUrl)]);
  const output = await running;
  expect(output).toMatch(/^\d+\n$/);
  expect(Number(output)).toBeLessThan(8_000);
});

// Without a limit of its own for the start of the process, whose duration depends on how busy the machine is.
test('the service sends its last traces when it stops', async () => {
  const collector = await startCollector();
  const { host, port, user, password = '', database } = await cloneDatabase();
  const ports = await findFreePorts();
  const service = runTessera(['serve'], {
    TESSERA_DATABASE_URL: `postgresql://${user}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`,
    TESSERA_DATA_DIR: await prepareDataDir(),
    ...ports,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_SERVICE_NAME: 'tessera-one',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  await service.ready;
  await fetch(`http://127.0.0.1:${ports.TESSERA_PORT}/health`);
  service.process.kill('SIGTERM');
  expect([await service.exited, service.readErrors()]).toEqual([0, '']);
  expect(collector.listSpans().map(({ name }) => name)).toContain('GET /health');
  expect(collector.readResource()).toMatchObject({
    'service.name': 'tessera-one',
    'deployment.environment.name': 'test',
  });
});

describe('by default', () => {
  const printModules = `console.log(JSON.stringify([...loaded].map((url) => /@opentelemetry\\/([^/]+)/.exec(url)?.[1]).filter(Boolean)));`;

  it('the SDK is not loaded', async () => {
    const output = await run(
      `await import('./src/app/command.ts'); console.log(await startTelemetry({}, undefined));${printModules}`,
    );
    const [started, modules] = output.trim().split('\n');
    expect(started).toBe('undefined');
    // The client library of the metrics loads the interfaces itself.
    expect((JSON.parse(modules!) as string[]).filter((name) => name !== 'api')).toEqual([]);
  });

  it('the SDK is loaded once a collector is named', async () => {
    const output = await run(
      `await startTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, undefined);${printModules}`,
    );
    expect(JSON.parse(output)).toContain('sdk-trace');
  });
});

/** Runs statements in a separate process, which records the modules that it loads in `loaded`. */
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
  const start = (environment: Record<string, string>) => startTelemetry(environment, silent);

  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_TRACES_EXPORTER: 'none' },
  ])('does not start traces with %j', async (environment) => {
    expect(await start(environment as Record<string, string>)).toBeUndefined();
  });

  it('uses the URL for traces unchanged', async () => {
    const collector = await startCollector();
    const telemetry = (await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    }))!;
    telemetry.startRequestSpan('GET /', {}, undefined).end({}, undefined);
    await telemetry.close();
    expect(collector.listSpans()).toHaveLength(1);
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not valid'],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'ftp://user:hunter2@collector' },
      'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is not valid',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'OTEL_EXPORTER_OTLP_PROTOCOL is not valid',
    ],
  ])('refuses %j with one line that names the variable', async (environment, line) => {
    await expect(start(environment as Record<string, string>)).rejects.toThrow(line);
    await expect(start(environment as Record<string, string>)).rejects.not.toThrow('hunter2');
  });
});
