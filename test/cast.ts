import type { TestApp } from './harness.ts';
import type { MemberPerson, OrgPerson, Person } from './people.ts';
import { someEmail, password } from './people.ts';
import type { OrgRole } from '#lib/caller.ts';
import { createUser } from '#modules/auth';
import { categoricalPosterior, continuousTraits, traitVector, type TraitVector } from '#modules/traits';
import { sql } from '#platform/database/database.ts';

/** An organisation with a person in every role, and one of everything that it can own. */
export type CastOrganisation = {
  readonly org_id: string;
  readonly admin: OrgPerson;
  readonly viewer: OrgPerson;
  readonly auditor: OrgPerson;
  readonly job_id: string;
  /** The task by which the administrator recomputed the job's matches. */
  readonly task_id: string;
};

/** Two organisations, two deployed members who match the jobs of both, a newcomer, and a platform administrator. */
export type Cast = {
  readonly ours: CastOrganisation;
  readonly theirs: CastOrganisation;
  readonly newcomer: MemberPerson;
  readonly deployed: MemberPerson;
  readonly neighbour: MemberPerson;
  readonly platformAdmin: Person;
  /** The match of a member with an organisation's job. */
  match(member: MemberPerson, organisation: CastOrganisation): Promise<string>;
};

/** Makes everybody whom tests of the whole surface need, through the front door, and computes their matches. */
export async function castOf(app: TestApp): Promise<Cast> {
  const measured = { mean: Array<number>(20).fill(2), variance: Array<number>(20).fill(0.05) };
  const deployed = await app.deployedMember(measured);
  const neighbour = await app.deployedMember(measured);
  await app.sql.run(sql`update trait_vectors set vector = ${JSON.stringify(readableVector())}::jsonb`);
  await app.drain();
  const ours = await organisation(app, 'Ours');
  const theirs = await organisation(app, 'Theirs');
  await app.drain();
  return {
    ours,
    theirs,
    deployed,
    neighbour,
    newcomer: await app.member(),
    platformAdmin: await app.platformAdmin(),
    match: (member, { admin, job_id }) => matchOf(app, member, admin, job_id),
  };
}

/** A job that fits everybody in the cast. */
export const castJob = {
  title: 'Night nurse',
  outcome_description: 'Patients sleep safely, and the ward is handed over in order.',
  trait_priorities: { empathic_attunement: 1, pressure_response: 0.8, persistence: 0.5 },
};

/** The harness keeps no vector to read, only one to match by. */
function readableVector(): TraitVector {
  const values = (value: number) => continuousTraits.map(() => value);
  const posterior = { mean: values(2), variance: values(0.05), covariance: [] };
  return traitVector(
    posterior,
    (['decision_mode', 'conflict_style'] as const).map((trait) => categoricalPosterior(trait, [])),
  );
}

async function organisation(app: TestApp, name: string): Promise<CastOrganisation> {
  const admin = await app.orgAdmin({ name });
  const { org_id, token } = admin;
  const viewer = await colleague(app, org_id, 'org_viewer');
  const auditor = await colleague(app, org_id, 'auditor');
  const job = await app.request('POST', '/orgs/me/jobs', { token, body: castJob });
  const task = await app.request('POST', `/orgs/me/jobs/${job.body.id}/recompute-matches`, {
    token,
    body: {},
  });
  return { org_id, admin, viewer, auditor, job_id: job.body.id, task_id: task.body.task_id };
}

async function colleague(app: TestApp, org_id: string, role: OrgRole): Promise<OrgPerson> {
  const email = someEmail();
  const { id } = await createUser(app.platform, { email, password, role, org_id, name: undefined });
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { token: body.access_token, user_id: id, org_id, email, password };
}

async function matchOf(
  app: TestApp,
  member: MemberPerson,
  { token }: Person,
  job_id: string,
): Promise<string> {
  const { body } = await app.request('GET', `/orgs/me/jobs/${job_id}/matches?limit=100`, { token });
  const found = body.data.find(({ member_id }: { member_id: string }) => member_id === member.member_id);
  if (!found) throw new Error('the cast has no such match');
  return found.id;
}
