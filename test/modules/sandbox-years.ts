import { expect } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { fillSandbox } from '../../src/demo/fill-sandbox.ts';
import type { TestApp } from '../harness.ts';

/** On a busy machine a year takes minutes. */
export const year_timeout_ms = 600_000;

/** A sandbox with few people, its key, and workers that run. */
export async function openSandbox(app: TestApp) {
  // The queue goes by the time of the database, which a sandbox has as well.
  app.clock.set(new Date());
  const filled = await fillSandbox(app, { seed: '7', members: '20' }, { write: () => true });
  await keepEvents(app);
  await app.platform.queue.startWorkers(app.platform);
  return { app, key: filled!.key };
}

export type OpenedSandbox = Awaited<ReturnType<typeof openSandbox>>;

export const startYear = ({ app, key }: OpenedSandbox, body: object = {}, token = key) =>
  app.request('POST', '/sandbox/year', { token, body });
export const cancelYear = ({ app, key }: OpenedSandbox, token = key) =>
  app.request('DELETE', '/sandbox/year', { token });
export const readSandbox = async ({ app, key }: OpenedSandbox) =>
  (await app.request('GET', '/sandbox', { token: key })).body;

export async function waitUntilEnded(opened: OpenedSandbox): Promise<void> {
  await expect
    .poll(async () => (await readSandbox(opened)).year.status, { timeout: year_timeout_ms, interval: 200 })
    .not.toBe('running');
}

/** What has happened in the year: when after its beginning, what, and to which job and member. Events of one time have no order, and those that are about neither are not of the year. */
export async function listEvents({ app }: OpenedSandbox): Promise<readonly string[]> {
  const rows = await app.sql.list(sql<{
    type: string;
    hours: number;
    title: string | null;
    email: string | null;
  }>`
    select type, floor(extract(epoch from kept.created_at - year_began_at) / 3600)::integer as hours, title, email
    from sandbox cross join kept_events as kept left join jobs on jobs.id = (data->>'job_id')::uuid
      left join users on users.member_id = (data->>'member_id')::uuid
    where kept.created_at >= year_began_at and (title is not null or email is not null) order by hours, type, title, email`);
  return rows.map((row) => JSON.stringify(row));
}

/** Copies the events, which are otherwise forgotten after a month. */
async function keepEvents(app: TestApp): Promise<void> {
  await app.sql.run(sql`create table kept_events (type text, data jsonb, created_at timestamptz)`);
  await app.sql.run(sql`grant insert on kept_events to public`);
  await app.sql.run(sql`
    create function keep_event() returns trigger language plpgsql as $$
    begin
      insert into public.kept_events values (new.type, new.data, new.created_at);
      return null;
    end $$`);
  await app.sql.run(sql`
    create trigger kept after insert on events for each row execute function keep_event()`);
}
