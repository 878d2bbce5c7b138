import { schemaNames } from './wire.ts';

/** What a directory asks for: the place of the first resource, from 1, and how many. */
type Asked = { readonly startIndex?: number | undefined; readonly count?: number | undefined };

/** Reads which resources a directory asks for. RFC 7644 section 3.4.2.4: a lower start is 1, and a negative count is 0. */
export function readRange({ startIndex = 1, count = 100 }: Asked, limit_max: number) {
  return { start: Math.max(1, startIndex), limit: Math.min(limit_max, Math.max(0, count)) };
}

/** Writes a page of resources (RFC 7644 section 3.4.2). */
export function writeScimPage<Resource>(
  Resources: Resource[],
  { total, start }: { readonly total: number; readonly start: number },
) {
  return {
    schemas: [schemaNames.list],
    totalResults: total,
    startIndex: start,
    itemsPerPage: Resources.length,
    Resources,
  };
}
