import type { Attributes, Context, Span as OpenSpan, SpanKind as Kind } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '#lib/refusal.ts';
import { ConfigError } from '#platform/config.ts';
import type { Logger } from '#platform/telemetry/log.ts';

/** Traces for the operator's collector. Names and attributes are ours, never a client's text: no path, query, token or personal data. */
export type Telemetry = {
  /** Opens the span of a request, in the trace that a valid `traceparent` (W3C Trace Context) names, or else in a new one. */
  startRequestSpan(name: string, attributes: Attributes, traceparent: string | undefined): Span;
  /** Does `work` as a span that begins a trace. */
  traceRun<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result>;
  /** Does `work` as a span inside the current one; where there is none, without. */
  traceStep<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result>;
  /** Sends what waits to be sent, for at most five seconds. Never throws. */
  close(): Promise<void>;
};

export type Span = {
  /** Does `work` inside the span, with all that it starts. */
  runInside<Result>(work: () => Result): Result;
  /** @param failure What went wrong, in one stable word; the span then counts as failed. */
  end(attributes: Attributes, failure: string | undefined): void;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** All tries of one batch together: less than what a stop waits, so that no try keeps the process from ending. */
const export_ms = 4_000;
const close_ms = 5_000;

/**
 * Starts traces where the environment names a collector by `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, in OTLP
 * over HTTP with JSON. Otherwise undefined, and then nothing of the SDK is loaded. The SDK itself reads the variables for headers,
 * certificates, compression and resource attributes.
 *
 * @throws ConfigError for an address or a protocol that cannot work.
 */
export async function startTelemetry(environment: Environment, log: Logger): Promise<Telemetry | undefined> {
  const url = findCollectorUrl(environment);
  return url === undefined ? undefined : openTelemetry(url, log);
}

/** The address for traces, by the rules of the OTLP exporter specification: the general one is a base, the special one is used as it is. */
function findCollectorUrl(environment: Environment): string | undefined {
  if (
    environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' ||
    environment['OTEL_TRACES_EXPORTER'] === 'none'
  )
    return undefined;
  const special = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const general = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!special && !general) return undefined;
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] || environment['OTEL_EXPORTER_OTLP_PROTOCOL'];
  if (protocol === 'grpc')
    throw new ConfigError('OTEL_EXPORTER_OTLP_PROTOCOL is wrong: traces go by HTTP only (http/json)');
  if (special) return checkHttpUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', special);
  return `${checkHttpUrl('OTEL_EXPORTER_OTLP_ENDPOINT', general!).replace(/\/$/, '')}/v1/traces`;
}

/** Does not repeat the value: it may hold a password. */
function checkHttpUrl(name: string, value: string): string {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value;
  throw new ConfigError(`${name} is wrong: it must be an http or https URL`);
}

async function openTelemetry(url: string, log: Logger): Promise<Telemetry> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const { parseTraceParent } = await import('@opentelemetry/core');
  const provider = await openProvider(url, log);
  const tracer = provider.getTracer('tessera');
  // Ours alone, instead of the API's globals: two applications in one process, as in tests, do not meet.
  const current = new AsyncLocalStorage<Context>();

  function startSpan(name: string, kind: Kind, attributes: Attributes, parent: Context): Span {
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    const inside = trace.setSpan(parent, span);
    return {
      runInside: (work) => current.run(inside, work),
      end: (more, failure) => endSpan(span, more, failure),
    };
  }

  function endSpan(span: OpenSpan, attributes: Attributes, failure: string | undefined): void {
    span.setAttributes(attributes);
    // No message: it could quote what a client sent.
    if (failure !== undefined)
      span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  return {
    startRequestSpan: (name, attributes, traceparent) => {
      // The tracestate beside it is left behind: it is free text of the caller's, and would go out with every span.
      const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
      const parent = caller
        ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
        : ROOT_CONTEXT;
      return startSpan(name, SpanKind.SERVER, attributes, parent);
    },
    traceRun: (name, attributes, work) =>
      runInSpan(startSpan(name, SpanKind.CONSUMER, attributes, ROOT_CONTEXT), work),
    traceStep: (name, attributes, work) => {
      const parent = current.getStore();
      return parent ? runInSpan(startSpan(name, SpanKind.CLIENT, attributes, parent), work) : work();
    },
    close: () => awaitShutdown(provider.shutdown()),
  };
}

async function openProvider(url: string, log: Logger) {
  const { BatchSpanProcessor, TracerProvider } = await import('@opentelemetry/sdk-trace');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const {
    defaultResource,
    detectResources,
    resourceAttributesEnvDetector,
    resourceFromAttributes,
    serviceNameEnvDetector,
  } = await import('@opentelemetry/resources');
  const exporter = await wrapExporter(new OTLPTraceExporter({ url, timeoutMillis: export_ms }), log);
  return new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tessera' }))
      .merge(detectResources({ detectors: [resourceAttributesEnvDetector, serviceNameEnvDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}

/** Tells the log when traces stop arriving, and when they arrive again; not at every batch. */
async function wrapExporter(exporter: SpanExporter, log: Logger): Promise<SpanExporter> {
  const { ExportResultCode } = await import('@opentelemetry/core');
  let arriving = true;
  const report = (arrived: boolean, reason: string | undefined) => {
    if (arrived === arriving) return;
    arriving = arrived;
    if (arrived) log.warn('traces reach the collector again');
    else log.warn({ reason }, 'traces do not reach the collector; they are dropped');
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        report(result.code === ExportResultCode.SUCCESS, result.error?.message);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

async function runInSpan<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await span.runInside(work);
    span.end({}, undefined);
    return result;
  } catch (error) {
    span.end({}, findFailure(error));
    throw error;
  }
}

/** A defect by its code (such as an SQLSTATE) or its class, never by its message; an expected "no" is no failure. */
function findFailure(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.status < 500 ? undefined : error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = [code, name].find((each) => typeof each === 'string' && /^\w{1,60}$/.test(each));
  return typeof word === 'string' ? word : 'unknown';
}

/** A collector that is away must not keep the service from stopping. */
async function awaitShutdown(shutdown: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const limit = pause(close_ms, undefined, { signal: waiting.signal });
  await Promise.race([shutdown, limit]).catch(() => undefined);
  waiting.abort();
  await limit.catch(() => undefined);
}
