import { createHash } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import type { RequestFacts } from '#platform/operation.ts';

/**
 * Computes the strong entity tag of a resource (RFC 9110 section 8.8.3): a digest in quotes. The order of object fields does not count, because
 * PostgreSQL stores JSON objects in an order of its own.
 */
export function computeEtag(resource: unknown): string {
  const text = JSON.stringify(resource, sortFields);
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Checks the request's If-Match header (RFC 9110 section 13.1.1) against a resource that the transaction has locked.
 *
 * @param current The resource before the change, as its reply shows it.
 * @throws Refusal `precondition_failed` if the resource is not one that the header names.
 */
export function checkIfMatch({ if_match }: Pick<RequestFacts, 'if_match'>, current: object): void {
  if (if_match === undefined || if_match.trim() === '*') return;
  const etag = computeEtag(current);
  const accepted = if_match.split(',').map((text) => text.trim());
  if (!accepted.includes(etag)) throw new Refusal('precondition_failed', { headers: { etag } });
}
