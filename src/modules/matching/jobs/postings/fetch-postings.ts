import { createFieldRefusal } from '#lib/refusal.ts';
import { describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';
import type { Services } from '#platform/platform.ts';
import { findBoardAddress, isBoardServer } from './board-address.ts';
import type { Posting } from './job-posting.ts';
import { readReference } from './posted-values.ts';
import { readDocument } from './read-document.ts';

/** What an import waits for and reads at most. Lever's boards have about 20 kilobytes a job, so that of a thousand jobs is near 16 megabytes with the others. */
const bounds = { timeout_ms: 10_000, redirects_max: 3 };
const page_bytes_max = 1_000_000;
const board_bytes_max = 16_000_000;

type FetchOptions = {
  /** Whether a page that does not exist any longer has no jobs, instead of being refused. */
  readonly may_be_gone?: boolean;
};

/**
 * Fetches the jobs that an address publishes: a page with a JobPosting, or a board of Greenhouse, Lever or Ashby.
 *
 * @throws Refusal `field_invalid`, which names the field `url`.
 */
export async function fetchPostings(
  services: Services,
  url: string,
  { may_be_gone = false }: FetchOptions = {},
): Promise<readonly Posting[]> {
  const address = findBoardAddress(url);
  const { status, body } = await fetchDocument(services, address);
  if (may_be_gone && (status === 404 || status === 410) && !isBoardServer(address)) return [];
  if (status === 404) throw createUrlRefusal('is not a page or board that exists (its server replies 404)');
  if (status !== 200) throw createUrlRefusal(`replies with status ${status}`);
  const postings = await readDocument(services, body);
  if (typeof postings === 'string') throw createUrlRefusal(postings);
  // A page about one job is its reference, if it has no other.
  const [first, ...others] = postings;
  return first && others.length === 0
    ? [{ ...first, reference: first.reference ?? readReference(url) }]
    : postings;
}

function fetchDocument({ fetchOutbound, config }: Services, url: string) {
  const headers = { accept: 'application/json, application/ld+json, text/html;q=0.9' };
  const max_bytes = isBoardServer(url) ? board_bytes_max : page_bytes_max;
  return fetchOutbound(url, { headers, ...bounds, max_bytes }).catch((error: unknown) => {
    throw error instanceof OutboundError ? createUrlRefusal(describeOutboundError(error, config)) : error;
  });
}

function createUrlRefusal(reason: string) {
  return createFieldRefusal('field_invalid', '/url', reason);
}
