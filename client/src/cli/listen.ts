import { wait } from '../send-request.ts';
import { hasCode, TesseraError } from '../tessera-error.ts';
import type { Delivery, Outcome, Service, Stream } from './service.ts';

/** What `listen` needs. */
export type ListenOptions = {
  readonly service: Service;
  /** Where events are sent on, by POST. */
  readonly target: string;
  /** The name of the stream. Programs that listen under one name share its events. */
  readonly name: string;
  /** The events to receive; all without it. */
  readonly events?: readonly string[] | undefined;
  /** The secret of the signatures; that of the stream without it. */
  readonly secret?: string | undefined;
  /** Writes a line for people. */
  readonly print: (line: string) => void;
  /** Ends it: deliveries that were fetched are finished and reported first. */
  readonly signal: AbortSignal;
};

/** How many deliveries are sent on at a time. */
const places = 5;
/** A fetched delivery comes again after 40 seconds. */
const attempt_ms_max = 30_000;
const [pause_ms_min, pause_ms_max] = [500, 10_000];
const excerpt_characters = 1_000;

/**
 * Sends an organisation's events on to a local address, as webhooks with their signatures, until it is aborted. Every event reaches the address at least once: what
 * was fetched and not reported comes again.
 *
 * @throws TesseraError where the service refuses what no repetition would change, such as an unknown key.
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { print, signal, target } = options;
  let pause_ms = pause_ms_min;
  for (let isFirst = true; !signal.aborted; isFirst = false)
    try {
      const stream = await openStream(options);
      print(`${isFirst ? 'Listening' : 'Listening again'} as "${options.name}", sending to ${target}`);
      if (isFirst) print(`The secret of the signatures is ${stream.secret}`);
      await forward(options, stream, () => void (pause_ms = pause_ms_min));
    } catch (error) {
      if (signal.aborted) return;
      if (isFinal(error)) throw error;
      print(`${describe(error)} Trying again in ${pause_ms / 1000} s.`);
      await wait(pause_ms, signal).catch(() => undefined);
      pause_ms = Math.min(pause_ms_max, pause_ms * 2);
    }
}

function openStream({ service, name, events, secret, signal }: ListenOptions): Promise<Stream> {
  const body = { name, ...(events && { events }), ...(secret !== undefined && { secret }) };
  return service.openStream(body, signal);
}

/** Fetches, sends on and reports, until it is aborted or something fails. What is being sent on then is still reported. */
async function forward(options: ListenOptions, { id }: Stream, onReply: () => void): Promise<void> {
  const { service, signal } = options;
  const sending = new Set<Promise<void>>();
  try {
    while (!signal.aborted) {
      if (sending.size >= places) await Promise.race(sending);
      const deliveries = await service.fetchDeliveries(id, places - sending.size, signal);
      onReply();
      for (const delivery of deliveries) {
        const sent = sendOn(options, id, delivery).finally(() => sending.delete(sent));
        sending.add(sent);
      }
    }
  } finally {
    await Promise.all(sending);
  }
}

/** Sends a delivery to the local address, and reports the outcome. It never throws: what is not reported comes again. */
async function sendOn(options: ListenOptions, stream_id: string, delivery: Delivery): Promise<void> {
  const { service, print } = options;
  const outcome = await attemptDelivery(options.target, delivery);
  const result = outcome.response_status ?? (outcome.timed_out ? 'no reply in time' : 'not reached');
  print(
    `${new Date().toLocaleTimeString('en-GB')}  ${delivery.event_type}  ${delivery.id}  ${result}  ${outcome.duration_ms} ms`,
  );
  try {
    await service.reportOutcome(stream_id, outcome);
  } catch (error) {
    print(`${delivery.id} was not reported and will come again: ${describe(error)}`);
  }
}

async function attemptDelivery(
  target: string,
  { id, attempt: number, headers, body }: Delivery,
): Promise<Outcome> {
  const started_ms = performance.now();
  const finish = (response_status: number | null, rest: Partial<Outcome>): Outcome => ({
    delivery_id: id,
    attempt: number,
    response_status,
    duration_ms: Math.round(performance.now() - started_ms),
    ...rest,
  });
  const signal = AbortSignal.timeout(attempt_ms_max);
  try {
    const response = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal });
    const response_excerpt = takeExcerpt(await readBeginning(response));
    return finish(response.status, { response_excerpt });
  } catch {
    return finish(null, { timed_out: signal.aborted });
  }
}

/** Reads no more of a reply than is shown of it. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  if (!reader) return '';
  while (text.length < excerpt_characters) {
    const { done, value } = await reader.read();
    if (done) return text;
    text += value;
  }
  await reader.cancel();
  return text;
}

/** Takes the beginning of a text, without what the service cannot store: a NUL, and half of a character. */
function takeExcerpt(text: string): string {
  return text
    .slice(0, excerpt_characters)
    .replaceAll('\0', '\u{fffd}')
    .replace(/[\ud800-\udbff]$/, '');
}

/** Whether a refusal stays the same however often it is asked for. A stream that was paused or has gone is opened again. */
function isFinal(error: unknown): boolean {
  if (hasCode(error, 'webhook_inactive', 'webhook_not_found', 'not_a_problem')) return false;
  return error instanceof TesseraError && error.status < 500 && error.status !== 429;
}

function describe(error: unknown): string {
  if (error instanceof TesseraError) return error.message;
  return error instanceof Error && error.name === 'TypeError'
    ? 'The service cannot be reached.'
    : String(error);
}
