import { isUtf8 } from 'node:buffer';
import { createFieldRefusal } from '#lib/refusal.ts';
import { describeOutboundError, OutboundError } from '#platform/outbound/outbound.ts';
import type { Services } from '#platform/platform.ts';
import { findBoardAddress } from './board-address.ts';
import type { Posting } from './job-posting.ts';
import { readReference } from './posted-values.ts';
import { readPublished } from './read-postings.ts';

/** What an import waits for and reads at most. A board of fifty jobs has 300,000 to 900,000 bytes. */
const document_bytes_max = 1_000_000;
const bounds = { timeout_ms: 10_000, max_bytes: document_bytes_max, redirects_max: 3 };

/**
 * Fetches the jobs that an address publishes: a page with a JobPosting, or a board of Greenhouse, Lever or Ashby.
 *
 * @throws Refusal `field_invalid`, which names the field `url`.
 */
export async function fetchPostings(services: Services, url: string): Promise<readonly Posting[]> {
  const postings = readPublished(await fetchDocument(services, findBoardAddress(url)));
  if (!postings)
    throw createUrlRefusal(
      'publishes neither a JobPosting of schema.org nor a board of Greenhouse, Lever or Ashby',
    );
  // A page about one job is its reference, if it has no other.
  const [first, ...others] = postings;
  return first && others.length === 0
    ? [{ ...first, reference: first.reference ?? readReference(url) }]
    : postings;
}

async function fetchDocument({ fetchOutbound, config }: Services, url: string): Promise<string> {
  const headers = { accept: 'application/json, application/ld+json, text/html;q=0.9' };
  const { status, body } = await fetchOutbound(url, { headers, ...bounds }).catch((error: unknown) => {
    throw error instanceof OutboundError ? createUrlRefusal(describeOutboundError(error, config)) : error;
  });
  if (status === 404) throw createUrlRefusal('is not a page or board that exists (its server replies 404)');
  if (status !== 200) throw createUrlRefusal(`replies with status ${status}`);
  if (!isUtf8(body)) throw createUrlRefusal('must be text in UTF-8');
  return body.toString();
}

function createUrlRefusal(reason: string) {
  return createFieldRefusal('field_invalid', '/url', reason);
}
