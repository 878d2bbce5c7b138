import type { TestApp } from './harness.ts';
import { fillMeans, findStoredMatch } from './modules/matching.ts';
import type { TestMember, TestOrgUser, TestUser } from './users.ts';
import { createEmail, password } from './users.ts';
import type { OrgRole } from '#lib/caller.ts';
import { createUser } from '#modules/access/accounts';
import { computeCategoricalPosterior, continuousTraits, buildTraitVector } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import type { TraitVector } from '../src/modules/measurement/traits/measurement/trait-vector.ts';
import { shiftTime } from './shift-time.ts';

/** An organisation with a user in every role, and one object of each kind that it can own. */
export type CastOrganisation = {
  readonly org_id: string;
  readonly admin: TestOrgUser;
  readonly viewer: TestOrgUser;
  readonly auditor: TestOrgUser;
  readonly job_id: string;
  /** The task with which the administrator recomputed the job's matches. */
  readonly task_id: string;
};

/** Two organisations, two deployed members who match the jobs of both, a new member, and a platform administrator. */
export type Cast = {
  readonly ours: CastOrganisation;
  readonly theirs: CastOrganisation;
  readonly newcomer: TestMember;
  readonly deployed: TestMember;
  readonly neighbour: TestMember;
  readonly platformAdmin: TestUser;
  /** Reads the id of a member's match with an organisation's job. */
  readMatchId(member: TestMember, organisation: CastOrganisation): Promise<string>;
};

/** Creates the users and objects for tests of the whole API, mostly through the API, and computes the matches. */
export async function createCast(app: TestApp): Promise<Cast> {
  const mean = fillMeans(2, ['empathic_attunement', 'pressure_response', 'persistence']);
  const measured = { mean, variance: Array<number>(20).fill(0.05) };
  const deployed = await app.registerDeployedMember(measured);
  const neighbour = await app.registerDeployedMember(measured);
  // Lists of versions have more than one page, and none like another member's.
  await app.sql.run(sql`
    insert into trait_vectors select (jsonb_populate_record(measured, '{"version": 2, "answer_count": 50, "created_at": "2026-01-05"}')).*
    from trait_vectors as measured where member_id = ${deployed.member_id}`);
  await app.sql.run(
    sql`update trait_vectors set created_at = ${shiftTime('created_at', -1)} where member_id = ${deployed.member_id}`,
  );
  await app.sql.run(sql`update trait_vectors set vector = ${JSON.stringify(buildReadableVector())}::jsonb`);
  await app.drainQueue();
  const ours = await createOrganisation(app, 'Ours');
  const theirs = await createOrganisation(app, 'Theirs');
  await app.drainQueue();
  return {
    ours,
    theirs,
    deployed,
    neighbour,
    newcomer: await app.registerMember(),
    platformAdmin: await app.registerPlatformAdmin(),
    readMatchId: async ({ member_id }, { job_id }) => (await findStoredMatch(app, job_id, member_id)).id,
  };
}

/** A job that fits every member of the cast. */
export const castJob = {
  title: 'Night nurse',
  outcome_description: 'Patients sleep safely, and the ward is handed over in order.',
  trait_priorities: { empathic_attunement: 1, pressure_response: 0.8, persistence: 0.5 },
};

/** A vector for a member to read. The harness stores only the part that matching needs. */
function buildReadableVector(): TraitVector {
  const repeatValue = (value: number) => continuousTraits.map(() => value);
  const posterior = { mean: repeatValue(2), variance: repeatValue(0.05), covariance: [] };
  return buildTraitVector(
    posterior,
    (['decision_mode', 'conflict_style'] as const).map((trait) => computeCategoricalPosterior(trait, [])),
  );
}

async function createOrganisation(app: TestApp, name: string): Promise<CastOrganisation> {
  const admin = await app.registerOrgAdmin({ name });
  const { org_id, token } = admin;
  const viewer = await createColleague(app, org_id, 'org_viewer');
  const auditor = await createColleague(app, org_id, 'auditor');
  const job = await app.request('POST', '/orgs/me/jobs', { token, body: castJob });
  const task = await app.request('POST', `/orgs/me/jobs/${job.body.id}/recompute-matches`, {
    token,
    body: {},
  });
  return { org_id, admin, viewer, auditor, job_id: job.body.id, task_id: task.body.task_id };
}

async function createColleague(app: TestApp, org_id: string, role: OrgRole): Promise<TestOrgUser> {
  const email = createEmail();
  const { id } = await createUser(app.platform, { email, password, role, org_id, name: undefined });
  const { body } = await app.request('POST', '/auth/login', { body: { email, password } });
  return { token: body.access_token, user_id: id, org_id, email, password };
}
