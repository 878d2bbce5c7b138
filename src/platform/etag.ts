import { hash } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import type { RequestFacts } from '#platform/operation.ts';

/**
 * Computes the strong entity tag of a resource (RFC 9110 section 8.8.3) from its JSON: a digest in quotes. A version of a resource must always be
 * written with its fields in the same order, so a reply to a change returns the row as PostgreSQL stored it. Sorting the fields here instead
 * would take ten times as long as the digest.
 *
 * @param without Fields of the resource that do not belong to its version, such as a count that others increase.
 */
export function computeEtag(json: string, without: readonly string[] = []): string {
  if (without.length > 0) return computeEtag(removeFields(json, without));
  return `"${hash('sha256', json, 'base64url').slice(0, 27)}"`;
}

function removeFields(json: string, names: readonly string[]): string {
  const fields = Object.entries(JSON.parse(json) as object).filter(([name]) => !names.includes(name));
  return JSON.stringify(Object.fromEntries(fields));
}

/**
 * Checks the request's If-Match header (RFC 9110 section 13.1.1) against a resource that the transaction has locked.
 *
 * @param readCurrent Returns the resource before the change, as its reply shows it. It is called only if the request has the header.
 * @param without The fields that {@link computeEtag} leaves out.
 * @throws Refusal `precondition_failed` if the resource is not one that the header names.
 */
export async function checkIfMatch(
  { if_match }: Pick<RequestFacts, 'if_match'>,
  readCurrent: () => object | Promise<object>,
  without: readonly string[] = [],
): Promise<void> {
  if (if_match === undefined || if_match.trim() === '*') return;
  const etag = computeEtag(JSON.stringify(await readCurrent()), without);
  if (!splitTags(if_match).includes(etag)) throw new Refusal('precondition_failed', { headers: { etag } });
}

/** Checks whether the client already has the resource with this tag, by its If-None-Match header (RFC 9110 section 13.1.2). */
export function isKnownToClient(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false;
  if (if_none_match.trim() === '*') return true;
  // The comparison is weak: proxies that compress replies mark the tag as weak.
  return splitTags(if_none_match).some((tag) => tag === etag || tag === `W/${etag}`);
}

function splitTags(header: string): readonly string[] {
  return header.split(',').map((text) => text.trim());
}
