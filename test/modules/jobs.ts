import type { Static } from 'typebox';
import type { TestApp } from '#test/harness.ts';
import { sql } from '#platform/database/database.ts';
import { jobResource, type Job } from '../../src/modules/matching/jobs/resource.ts';

export { jobLimits } from '../../src/modules/matching/jobs/rules.ts';

/** A job that `POST /orgs/me/jobs` accepts. */
export const nurse = {
  title: 'Night nurse',
  outcome_description: 'Patients sleep safely, and the ward is handed over in order.',
  clearance_required: 'baseline',
  remote_policy: 'onsite',
  trait_priorities: { empathic_attunement: 1, pressure_response: 0.8, discretion: 0.25, persistence: 0 },
  salary_min: 78_000,
  salary_max: 96_000,
  salary_currency: 'AUD',
};

type NamedFields = 'id' | 'org_id' | 'title' | 'outcome_description' | 'trait_priorities' | 'created_at';

/** Builds a row of a job. A field that is left out has its default. */
export function buildJob(fields: Pick<Job, NamedFields> & Partial<Job>): Job {
  const defaults = jobResource.complete(fields);
  const { created_at: updated_at } = fields;
  return {
    ...defaults,
    status: 'active',
    matches_computed_at: null,
    list_end: null,
    version: 1,
    updated_at,
    ...fields,
  };
}

/** Creates a job and returns its resource. */
export async function createJob(
  app: TestApp,
  token: string,
  overrides: object = {},
): Promise<Static<typeof jobResource.wire>> {
  const { status, body } = await app.request('POST', '/orgs/me/jobs', {
    token,
    body: { ...nurse, ...overrides },
  });
  if (status !== 201) throw new Error(`creating the job returned ${status}`);
  return body;
}

/** Gives a user of an organisation another role and logs them in. @returns the access token. */
export async function logInWithRole(
  app: TestApp,
  {
    user_id,
    email,
    password,
  }: { readonly user_id: string; readonly email: string; readonly password: string },
  role: 'org_viewer' | 'auditor',
): Promise<string> {
  await app.sql.run(sql`update users set role = ${role} where id = ${user_id}`);
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  return body.access_token;
}
