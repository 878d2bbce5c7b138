import type { Static } from 'typebox';
import type { TestApp } from '#test/harness.ts';
import { sql } from '#platform/database/database.ts';
import type { jobWire } from '../../src/modules/jobs/wire.ts';

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

/** Creates a job and answers its resource. */
export async function createJob(
  app: TestApp,
  token: string,
  overrides: object = {},
): Promise<Static<typeof jobWire>> {
  const answer = await app.request('POST', '/orgs/me/jobs', { token, body: { ...nurse, ...overrides } });
  if (answer.status !== 201) throw new Error(`the job was answered ${answer.status}`);
  return answer.body as Static<typeof jobWire>;
}

/** A token of somebody who acts for the organisation in another role; the administrator becomes that person. */
export async function logInWithRole(
  app: TestApp,
  person: { readonly user_id: string; readonly email: string; readonly password: string },
  role: 'org_viewer' | 'auditor',
): Promise<string> {
  await app.sql.run(sql`update users set role = ${role} where id = ${person.user_id}`);
  const { email, password } = person;
  const answer = await app.request('POST', '/auth/login', { body: { email, password } });
  return (answer.body as { access_token: string }).access_token;
}
