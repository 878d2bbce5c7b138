import { hash } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import type { RequestFacts } from '#platform/operation.ts';

/**
 * Computes the strong entity tag of a resource (RFC 9110 section 8.8.3) from its JSON, or of a document from its content: a digest in quotes. A version of a resource must always be
 * written with its fields in the same order, so a reply to a change returns the row as PostgreSQL stored it. Sorting the fields here instead
 * would take ten times as long as the digest.
 *
 * @param without Fields of the resource that do not belong to its version, such as a count that others increase.
 */
export function computeEtag(content: string | Buffer, without: readonly string[] = []): string {
  if (without.length > 0) return computeEtag(removeFields(content.toString(), without));
  return `"${hash('sha256', content, 'base64url').slice(0, 27)}"`;
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
  if (!hasTag(if_match, etag)) throw new Refusal('precondition_failed', { headers: { etag } });
}

/** Checks whether the client already has the resource with this tag, by its If-None-Match header (RFC 9110 section 13.1.2). */
export function isKnownToClient(if_none_match: string | undefined, etag: string): boolean {
  if (if_none_match === undefined) return false;
  if (if_none_match.trim() === '*') return true;
  return hasTag(if_none_match, etag);
}

/**
 * Whether a header names one of our tags, also as those who compress replies on the way change it: they mark it as weak or add the name of the
 * encoding to it. If-Match demands strong tags because a weak one may belong to several versions; ours is computed from the version alone, so
 * a client that names it has seen that version.
 */
function hasTag(header: string, etag: string): boolean {
  const named = header.split(',').map((text) => text.trim().replace(/^W\//, ''));
  // Compared from the front, because a tag of ours may itself end with a hyphen.
  const start = etag.slice(0, -1);
  return named.some((tag) => tag.startsWith(start) && added.test(tag.slice(start.length)));
}

/** What follows our tag: nothing, or the name of an encoding. */
const added = /^(?:--?(?:gzip|br|zstd|deflate))?"$/;
