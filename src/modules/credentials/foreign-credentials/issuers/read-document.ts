import { isUtf8 } from 'node:buffer';
import { OutboundError, type FetchOutbound } from '#platform/outbound/outbound.ts';
import { UncheckedError } from '../faults.ts';

/** Reads a document of a server that a credential names. */
export type ReadDocument = (
  url: string,
  about: { readonly whose: 'issuer' | 'status'; readonly accept: string },
) => Promise<string>;

/** A verification waits at most ten seconds in all. */
const documents_max = 4;
const timeout_ms = 2_500;
/** More than the keys of an issuer, or the status of a million credentials compressed, take. */
export const document_bytes_max = 262_144;

/**
 * Creates a reader for one verification, which reads each document once and only a few of them. No redirect is followed, because an issuer is proven by the server
 * that its name says.
 *
 * Why a server is not reached is not said, because that would tell a stranger about the network of the service.
 */
export function createDocumentReader(fetchOutbound: FetchOutbound): ReadDocument {
  const read = new Map<string, Promise<string>>();
  return async (url, { whose, accept }) => {
    const known = read.get(url);
    if (known) return known;
    if (read.size >= documents_max) throw new UncheckedError(`${whose}_unreachable`);
    const reading = fetchText(fetchOutbound, url, { whose, accept });
    read.set(url, reading);
    return reading;
  };
}

async function fetchText(
  fetchOutbound: FetchOutbound,
  url: string,
  { whose, accept }: Parameters<ReadDocument>[1],
): Promise<string> {
  const invalid = whose === 'issuer' ? 'issuer_document_invalid' : 'status_invalid';
  let response;
  try {
    const request = { headers: { accept }, timeout_ms, max_bytes: document_bytes_max };
    response = await fetchOutbound(url, request);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.fault === 'too_large') throw new UncheckedError(invalid, error);
    throw new UncheckedError(error.fault === 'timeout' ? `${whose}_slow` : `${whose}_unreachable`, error);
  }
  if (response.status !== 200) throw new UncheckedError(`${whose}_unreachable`);
  if (!isUtf8(response.body)) throw new UncheckedError(invalid);
  return response.body.toString();
}
