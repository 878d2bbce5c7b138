import { sql, type Executor, type Reader } from '#platform/database/database.ts';
import type { KeyRequest } from './rules.ts';

/** Adds requests. Those of a key that was deleted are left out. */
export async function insertRequests(db: Executor, requests: readonly KeyRequest[]): Promise<void> {
  await db.run(sql`
    insert into service_key_requests (id, service_key_id, at, method, path, status, code, duration_ms)
    select given.id, given.service_key_id, given.at, given.method, given.path, given.status, given.code, given.duration_ms
    from unnest(
      ${requests.map(({ id }) => id)}::uuid[], ${requests.map(({ service_key_id }) => service_key_id)}::uuid[],
      ${requests.map(({ at }) => at)}::timestamptz[], ${requests.map(({ method }) => method)}::text[],
      ${requests.map(({ path }) => path)}::text[], ${requests.map(({ status }) => status)}::smallint[],
      ${requests.map(({ code }) => code)}::text[], ${requests.map(({ duration_ms }) => duration_ms)}::integer[])
      as given (id, service_key_id, at, method, path, status, code, duration_ms)
    join service_keys on service_keys.id = given.service_key_id`);
}

/** Deletes the requests of some keys that `kept` newer ones follow. */
export async function deleteExcessRequests(
  db: Executor,
  service_key_ids: readonly string[],
  kept: number,
): Promise<void> {
  await db.run(sql`
    delete from service_key_requests as old using (
      select oldest.service_key_id, oldest.at, oldest.id
      from unnest(${service_key_ids}::uuid[]) as key_id
      cross join lateral (
        select service_key_id, at, id from service_key_requests where service_key_id = key_id
        order by at desc, id desc offset ${kept - 1} limit 1) as oldest) as kept
    where old.service_key_id = kept.service_key_id and (old.at, old.id) < (kept.at, kept.id)`);
}

/** Deletes at most `limit` requests from before a time. @returns their number. */
export function deleteOldRequests(db: Executor, before: Date, limit: number): Promise<number> {
  return db.run(sql`
    delete from service_key_requests where (service_key_id, at, id) in (
      select service_key_id, at, id from service_key_requests where at < ${before} order by at limit ${limit})`);
}

/** Lists the requests of a key since a time, the newest first, at most `limit` of them. */
export function listRequests(
  db: Reader,
  service_key_id: string,
  since: Date,
  limit: number,
): Promise<KeyRequest[]> {
  return db.list(sql<KeyRequest>`
    select id, service_key_id, at, method, path, status, code, duration_ms from service_key_requests
    where service_key_id = ${service_key_id} and at >= ${since} order by at desc, id desc limit ${limit}`);
}
