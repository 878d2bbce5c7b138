import { Type } from 'typebox';
import { requireFound } from '#lib/refusal.ts';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp, uuid } from '#platform/schema.ts';
import { findOrganisationJob } from '../store.ts';
import { upsertVisit } from './store.ts';

const gap_minutes = 30;

/** When the visit before the current one ended. */
export const newSinceWire = field(
  nullable(timestamp),
  'When your visit before this one ended; null during the first one.',
  '2026-03-02T09:00:00.000Z',
);

export const recordVisit = operation({
  name: 'jobs.recordVisit',
  title: 'Record a visit to a job',
  summary:
    'Records that the caller looks at the people of a job now. A visit lasts until half an hour passes without another call; people who were added after the visit before it are new.',
  who: ['org_admin', 'org_viewer'],
  input: Type.Object({ job_id: uuid }),
  output: { 200: closedObject({ job_id: uuid, new_since: newSinceWire }, { $id: 'JobVisit' }) },
  refuses: ['job_not_found'],
  run: async (context, { job_id }) => {
    const { org_id, user_id } = context.caller;
    const job = requireFound(await findOrganisationJob(context.database, org_id, job_id), 'job_not_found');
    const visit = { now: context.now(), gap_minutes };
    const new_since = await context.transaction((tx) => upsertVisit(tx, { job_id: job.id, user_id }, visit));
    return { job_id: job.id, new_since: new_since?.toISOString() ?? null };
  },
});
