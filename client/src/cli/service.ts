import { sendRequest, type Connection } from '../send-request.ts';

/** A stream of events, as the service knows it. */
export type Stream = { readonly id: string; readonly url: string; readonly secret: string };

/** An event that was fetched from a stream. */
export type Delivery = {
  readonly id: string;
  readonly event_type: string;
  /** How often it was tried before. */
  readonly attempt: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** What became of a delivery. */
export type Outcome = {
  readonly delivery_id: string;
  readonly attempt: number;
  readonly response_status: number | null;
  readonly response_excerpt?: string;
  readonly timed_out?: boolean;
  readonly duration_ms: number;
};

/** The operations of the service that the command line uses. */
export type Service = {
  openStream(
    body: { readonly name: string; readonly events?: readonly string[]; readonly secret?: string },
    signal: AbortSignal,
  ): Promise<Stream>;
  /** Waits for what is due; empty after the wait. */
  fetchDeliveries(id: string, limit: number, signal: AbortSignal): Promise<readonly Delivery[]>;
  reportOutcome(id: string, outcome: Outcome): Promise<void>;
  /** @returns the id of the stream; undefined if there is none of this name. */
  findStream(name: string): Promise<string | undefined>;
  sendTest(id: string, event: string): Promise<Pick<Delivery, 'id' | 'event_type'>>;
};

const wait_seconds = 25;

/** Opens the operations on a connection. */
export function openService(connection: Connection): Service {
  const send = async (
    method: string,
    path: string,
    body?: object,
    { signal, key }: { readonly signal?: AbortSignal; readonly key?: string } = {},
  ): Promise<Response> =>
    await sendRequest(connection, {
      method,
      target: `/api/v1/webhooks/${path}`,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  return {
    openStream: async (body, signal) =>
      (await (await send('POST', 'streams', body, { signal })).json()) as Stream,
    fetchDeliveries: async (id, limit, signal) => {
      const reply = await send('POST', `streams/${id}/deliveries`, { limit, wait_seconds }, { signal });
      return ((await reply.json()) as { readonly deliveries: readonly Delivery[] }).deliveries;
    },
    reportOutcome: async (id, outcome) => {
      // An attempt counts once, so a report may be repeated like a request with a key.
      const key = `${outcome.delivery_id}-${outcome.attempt}`;
      await send('POST', `streams/${id}/outcomes`, { outcomes: [outcome] }, { key });
    },
    findStream: async (name) => {
      const reply = await send('GET', '?limit=100');
      const { data } = (await reply.json()) as { readonly data: readonly Omit<Stream, 'secret'>[] };
      return data.find(({ url }) => url === `stream:${name}`)?.id;
    },
    sendTest: async (id, event) =>
      (await (await send('POST', `${id}/test`, { event })).json()) as Pick<Delivery, 'id' | 'event_type'>,
  };
}
