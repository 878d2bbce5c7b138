import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attributes, Context, Span as OpenSpan, SpanKind as Kind } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { Refusal } from '#lib/refusal.ts';
import { ConfigError } from '#platform/config.ts';
import type { Logger } from '#platform/telemetry/log.ts';

/** Traces for the operator's collector. Names and attributes never contain text from a client: no path, query, token or personal data. */
export type Telemetry = {
  /** Opens the span of a request, in the trace of a valid `traceparent` (W3C Trace Context) or else in a new trace. */
  startRequestSpan(name: string, attributes: Attributes, traceparent: string | undefined): Span;
  /** Runs `work` as a span that starts a new trace. */
  traceRun<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result>;
  /** Runs `work` as a span inside the current one, or without a span outside a trace. */
  traceStep<Result>(name: string, attributes: Attributes, work: () => Promise<Result>): Promise<Result>;
  /** Sends the remaining spans, for at most five seconds. Never throws. */
  close(): Promise<void>;
};

export type Span = {
  /** Runs `work`, and everything that it starts, inside the span. */
  runInside<Result>(work: () => Result): Result;
  /** @param failure A stable word for the error. If it is given, the span counts as failed. */
  end(attributes: Attributes, failure: string | undefined): void;
};

type Environment = Readonly<Record<string, string | undefined>>;

/** The time for all attempts to send one batch. It is shorter than the wait of a stop, so that no attempt delays the end of the process. */
const export_ms = 4_000;
const close_ms = 5_000;

/**
 * Starts traces if the environment names a collector by `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`. They are sent
 * as OTLP over HTTP with JSON. Otherwise it returns undefined, and the SDK is not loaded. The SDK itself reads the variables for headers,
 * certificates, compression and resource attributes.
 *
 * @throws ConfigError for an invalid URL or an unsupported protocol.
 */
export async function startTelemetry(environment: Environment, log: Logger): Promise<Telemetry | undefined> {
  const url = findCollectorUrl(environment);
  return url === undefined ? undefined : openTelemetry(url, log);
}

/** Finds the URL for traces by the OTLP exporter specification: the general endpoint is a base URL, the one for traces is used unchanged. */
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
    throw new ConfigError(
      'OTEL_EXPORTER_OTLP_PROTOCOL is not valid: traces are sent only over HTTP (http/json)',
    );
  if (special) return checkHttpUrl('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', special);
  return `${checkHttpUrl('OTEL_EXPORTER_OTLP_ENDPOINT', general!).replace(/\/$/, '')}/v1/traces`;
}

/** Checks a URL. The error does not repeat the value, because it may contain a password. */
function checkHttpUrl(name: string, value: string): string {
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value;
  throw new ConfigError(`${name} is not valid: it must be an http or https URL`);
}

async function openTelemetry(url: string, log: Logger): Promise<Telemetry> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = await import('@opentelemetry/api');
  const { parseTraceParent } = await import('@opentelemetry/core');
  const provider = await openProvider(url, log);
  const tracer = provider.getTracer('tessera');
  // A separate storage instead of the global one of the API, so that two applications in one process, as in tests, are independent.
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
    // Without a message, because it could quote text from a client.
    if (failure !== undefined)
      span.setAttribute('error.type', failure).setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }

  return {
    startRequestSpan: (name, attributes, traceparent) => {
      // The tracestate header is ignored, because it is free text from the caller and would be sent with every span.
      const callerContext = traceparent === undefined ? null : parseTraceParent(traceparent);
      const parent = callerContext
        ? trace.setSpanContext(ROOT_CONTEXT, { ...callerContext, isRemote: true })
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

/** Logs when traces stop reaching the collector and when they reach it again, but not for every batch. */
async function wrapExporter(exporter: SpanExporter, log: Logger): Promise<SpanExporter> {
  const { ExportResultCode } = await import('@opentelemetry/core');
  let isReachable = true;
  const report = (isSent: boolean, reason: string | undefined) => {
    if (isSent === isReachable) return;
    isReachable = isSent;
    if (isSent) log.warn('traces reach the collector again');
    else log.warn({ reason }, 'traces do not reach the collector and are dropped');
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

/** Returns the code (such as an SQLSTATE) or the class of an error, never its message. A refusal below status 500 is not a failure. */
function findFailure(error: unknown): string | undefined {
  if (error instanceof Refusal) return error.status < 500 ? undefined : error.code;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const word = [code, name].find((each) => typeof each === 'string' && /^\w{1,60}$/.test(each));
  return typeof word === 'string' ? word : 'unknown';
}

/** Waits for the shutdown for a limited time, because an unavailable collector must not prevent the service from stopping. */
async function awaitShutdown(shutdown: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const limit = pause(close_ms, undefined, { signal: waiting.signal });
  await Promise.race([shutdown, limit]).catch(() => undefined);
  waiting.abort();
  await limit.catch(() => undefined);
}
