import type { Services } from '#platform/platform.ts';
import { OutboundError, type OutboundFault, type OutboundResponse } from '#platform/outbound/outbound.ts';
import { judgeStatus, readRetryAfter, type Attempt, type DeliveryError } from '../rules.ts';
import { describeSending } from '../describe-sending.ts';
import { buildHeaders, type SigningKeys } from '../signatures.ts';
import type { ClaimedDelivery } from './store.ts';

const timeout_ms = 30_000;
const response_bytes_max = 65_536;
const excerpt_bytes = 1_024;

export type Target = {
  readonly subscription_id: string;
  readonly url: string;
  readonly keys: SigningKeys;
};

/** Sends a delivery once, and reports what came of it. It never throws: whatever happens is an outcome of the attempt. */
export async function attemptDelivery(
  services: Pick<Services, 'fetchOutbound' | 'log' | 'now' | 'testClock'>,
  { subscription_id, url, keys }: Target,
  { id, event_type, body }: Pick<ClaimedDelivery, 'id' | 'event_type' | 'body'>,
): Promise<Attempt> {
  const { fetchOutbound, now, log } = services;
  const attempted_at = now();
  const started = performance.now();
  const finish = (
    outcome: Pick<Attempt, 'response_status' | 'response_excerpt' | 'error' | 'retry_after_s'>,
  ) => ({
    attempted_at,
    duration_ms: Math.round(performance.now() - started),
    ...outcome,
  });
  try {
    const headers = buildHeaders({ delivery_id: id, event_type, body, ...describeSending(services) }, keys);
    const response = await fetchOutbound(url, {
      method: 'POST',
      headers,
      body,
      timeout_ms,
      max_bytes: response_bytes_max,
      whenTooLong: 'cut',
      keep_for: subscription_id,
    });
    return finish({
      response_status: response.status,
      response_excerpt: readExcerpt(response.body),
      error: judgeStatus(response.status),
      retry_after_s: readRetryAfter(response.headers['retry-after'], now()),
    });
  } catch (thrown) {
    if (!(thrown instanceof OutboundError)) log.error({ err: thrown }, 'a webhook could not be sent');
    const { error, response_status } = describeFault(thrown);
    return finish({ response_status, response_excerpt: null, error, retry_after_s: null });
  }
}

function describeFault(thrown: unknown): Pick<Attempt, 'error' | 'response_status'> {
  if (!(thrown instanceof OutboundError)) return { error: 'unreachable', response_status: null };
  return { error: errorOfFault[thrown.fault], response_status: thrown.status ?? null };
}

const errorOfFault: Readonly<Record<OutboundFault, DeliveryError>> = {
  url_forbidden: 'url_forbidden',
  address_forbidden: 'address_forbidden',
  unresolvable: 'unresolvable',
  unreachable: 'unreachable',
  timeout: 'timeout',
  // A response is cut off, and a POST is not redirected.
  too_large: 'unreachable',
  too_many_redirects: 'redirect',
};

/** Reads the beginning of a response as text that PostgreSQL can store. */
function readExcerpt(body: OutboundResponse['body']): string {
  return body.subarray(0, excerpt_bytes).toString('utf8').replaceAll('\0', '\u{fffd}');
}
