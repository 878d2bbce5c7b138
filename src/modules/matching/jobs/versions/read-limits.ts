import { Type } from 'typebox';
import { orgRoles } from '#lib/caller.ts';
import { requireFound } from '#lib/refusal.ts';
import { findOrganisation } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { closedObject, field } from '#platform/schema.ts';
import { jobLimits } from '../rules.ts';
import { computeDailyVersions, day_ms } from './rules.ts';
import { countActiveJobs, countVersions } from './store.ts';

const buildLimitSchema = (what: string, used: number, limit: number) =>
  closedObject({
    used: field(Type.Integer({ minimum: 0 }), `${what}: how many there are.`, used),
    limit: field(Type.Integer({ minimum: 1 }), `${what}: how many the tier allows.`, limit),
  });

const limitsWire = closedObject(
  {
    active_jobs: field(buildLimitSchema('Active jobs', 7, 100), 'The jobs that are matched.'),
    daily_changes: field(
      buildLimitSchema('Changes of requirements in 24 hours', 3, 200),
      'Changes of what jobs ask for, within the last 24 hours.',
    ),
  },
  { $id: 'JobLimits' },
);

export const readLimits = operation({
  name: 'jobs.readLimits',
  title: 'Read the limits on jobs',
  summary:
    'Reads how many active jobs and changes the tier of the organisation allows, and how many it has used.',
  who: orgRoles,
  output: { 200: limitsWire },
  refuses: ['organisation_not_found'],
  run: async ({ database, caller, now }) => {
    const { org_id } = caller;
    const organisation = requireFound(await findOrganisation(database, org_id), 'organisation_not_found');
    const limits = jobLimits[organisation.tier];
    const since = new Date(now().getTime() - day_ms);
    const [active_jobs, { changes }] = await Promise.all([
      countActiveJobs(database, org_id),
      countVersions(database, org_id, { since, versions_max: computeDailyVersions(limits) }),
    ]);
    return {
      active_jobs: { used: active_jobs, limit: limits.active_jobs },
      daily_changes: { used: changes, limit: limits.daily_changes },
    };
  },
});
