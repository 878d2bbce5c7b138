import fc from 'fast-check';
import { expect, test } from 'vitest';
import { traitCodes } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { createJob, fillSlots, forceMatchStatus, insertMembers, runTask } from '#test/modules/matching.ts';
import { listRequirements, type JobRequirements } from './contact/rules.ts';
import { generateExplanation } from './explanations/generate-explanation.ts';
import { insertPolicy, insertUse } from './policies/store.ts';
import { keepMatch } from './store.ts';

/*
 * An organisation that changes a job and reads everything about its matches before they are computed again: in the seconds until the task runs, or for as
 * long as the job is a draft. A match always answers for the version of the job that it belongs to. Members come in pairs of twins,
 * about whom everything is equal. So what is read about one of them before a change and about the other one after it must be equal as well.
 */

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();

/** What distinguishes the pairs. The facts are those that requirements ask for. */
const pairs = [
  { fit: 1.6, years: 2, education: 'secondary', country: 'AU', clearance: 'none' },
  { fit: 1.2, years: 5, education: 'bachelors', country: 'AU', clearance: 'baseline' },
  { fit: 0.9, years: 7, education: 'masters', country: 'NZ', clearance: 'negative_vetting_2' },
] as const;

/** The pair of each member. */
const kinds = await addTwins();
await useGroupPolicy();

async function addTwins(): Promise<ReadonlyMap<string, number>> {
  const twins = [...pairs.keys(), ...pairs.keys()];
  const vectors = twins.map((kind) => ({
    mean: traitCodes.map((code, slot) =>
      code === 'persistence' ? pairs[kind]!.fit : (slot % 4) * 0.4 - 0.3,
    ),
    variance: fillSlots(0.12),
  }));
  const ids = await insertMembers(app, vectors);
  for (const [place, id] of ids.entries()) {
    const { years, education, country, clearance } = pairs[twins[place]!]!;
    await app.sql.run(sql`
      update members set years_experience = ${years}, education_level = ${education}, location_country = ${country} where id = ${id}`);
    await app.sql.run(
      sql`insert into matching_preferences (member_id, clearance_held, updated_at) values (${id}, ${clearance}, ${app.clock.now()})`,
    );
  }
  return new Map(ids.map((id, place) => [id, twins[place]!]));
}

/** Puts a policy into use that weighs the traits of one occupation group differently, so that the occupation decides what explanations say. */
async function useGroupPolicy(): Promise<void> {
  const now = app.clock.now();
  const multipliers = {
    all: traitCodes.map(() => 1),
    29: traitCodes.map((_, slot) => (slot % 2 === 0 ? 1.8 : 0.6)),
  };
  await app.sql.transaction(async (tx) => {
    const { version } = await insertPolicy(tx, { parent: 1, multipliers, trained_on: {}, created_at: now });
    await insertUse(tx, { version, action: 'promote', used_at: now });
  });
}

const constraints = fc.record(
  {
    location_countries: fc.constantFrom(['AU'], ['NZ'], ['AU', 'NZ']),
    years_experience_min: fc.integer({ min: 0, max: 9 }),
    education_level_min: fc.constantFrom('secondary', 'bachelors', 'masters'),
  },
  { requiredKeys: [] },
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ patch: fc.record({ constraints }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      patch: fc.constantFrom(
        { clearance_required: 'baseline' },
        { clearance_required: 'none' },
        { occupation_code: '29-1141.00' },
        { occupation_code: '15-1252.00' },
        { remote_policy: 'onsite' },
        { trait_priorities: { persistence: 1, analytical_depth: 0.8, sincerity: 0.6 } },
        { trait_priorities: { persistence: 0.7, social_initiative: 0.9, discretion: 0.2 } },
        { status: 'draft' },
        { status: 'active' },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ compute: true } as const) },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constantFrom('org_interested', 'accepted', 'kept'),
      place: fc.nat({ max: 5 }),
    }),
  },
);

const firstPriorities = { persistence: 1, analytical_depth: 0.9, autonomy_drive: 0.6 } as const;

type StoredMatch = {
  readonly id: string;
  readonly member_id: string;
  readonly version: number;
  readonly match_status: string;
};

const listStored = (job_id: string) =>
  app.sql.list(sql<StoredMatch>`
    select id, member_id, version, match_status from matches where job_id = ${job_id} order by id`);

async function read(path: string) {
  const { status, body } = await app.request('GET', path, { token });
  return status === 200 ? body : { refused: body.code };
}

/** Reads everything about a match, apart from its ids. The explanation is written first, as the task would. */
async function readAll(
  { id, member_id }: StoredMatch,
  lists: readonly (readonly { readonly id: string; readonly member_id: string }[])[],
) {
  await runTask(app, generateExplanation, { match_id: id, member_id, reader_id: org_id });
  const { id: _id, member_id: alias, ...match } = await read(`/matches/${id}`);
  const { match_id: _match, ...explanation } = await read(`/matches/${id}/explanation`);
  const { requirements, refused } = await read(`/matches/${id}/requirements`);
  for (const list of lists) {
    const { id: _listed, member_id: listed_alias, ...listed } = list.find((each) => each.id === id)!;
    expect([listed_alias, listed]).toEqual([alias, match]);
  }
  return { alias, requirements, answers: JSON.stringify({ match, explanation, requirements, refused }) };
}

test(
  'a match answers for its own version, however the job is changed before the next computation',
  { timeout: 120_000 },
  async () => {
    const names = new Map<string, string>();
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), fc.nat(), async (steps, parity) => {
        const job_id = await createJob(app, token, firstPriorities);
        await app.drainQueue();
        /** What each version asks for. */
        const asked = new Map<number, JobRequirements>();
        const answers = new Map<string, string>();
        const readEverything = async (turn: number) => {
          const { version, ...requirements } = await app.sql.one(sql<JobRequirements & { version: number }>`
          select version, clearance_required, constraints from jobs where id = ${job_id}`);
          asked.set(version, requirements);
          const query = 'limit=100';
          const lists = [
            (await read(`/orgs/me/jobs/${job_id}/matches?${query}`)).data,
            (await read(`/orgs/me/matches?job_id=${job_id}&${query}`)).data,
            (await read(`/matches/job/${job_id}?${query}`)).data,
          ];
          for (const [place, match] of (await listStored(job_id)).entries()) {
            // One of the twins is first read in another turn.
            if ((place + turn + parity) % 2 === 0) continue;
            const kind = kinds.get(match.member_id)!;
            const result = await readAll(match, lists);
            const key = `${match.version} ${kind} ${match.match_status}`;
            expect([key, result.answers]).toEqual([key, answers.get(key) ?? result.answers]);
            answers.set(key, result.answers);
            const facts = await findFacts(match.member_id);
            expect(result.requirements).toEqual(
              listRequirements(asked.get(match.version)!, facts).map((each) => ({ ...each })),
            );
            // No name of a person is used in another job or version, except the real id of somebody who has agreed.
            if (result.alias === match.member_id) continue;
            const owner = `${job_id} ${match.version} ${match.member_id}`;
            expect(names.get(result.alias) ?? owner).toBe(owner);
            names.set(result.alias, owner);
          }
        };
        await readEverything(0);
        for (const [turn, each] of steps.entries()) {
          if ('patch' in each) {
            const changed = await app.request('PATCH', `/orgs/me/jobs/${job_id}`, {
              token,
              body: each.patch,
            });
            if (changed.status !== 200) throw new Error(`the change returned ${changed.status}`);
          } else if ('compute' in each) await app.drainQueue();
          else await takeStep(job_id, each);
          await readEverything(turn + 1);
        }
        await app.request('DELETE', `/orgs/me/jobs/${job_id}`, { token });
        await app.drainQueue();
      }),
      { numRuns: 8 },
    );
  },
);

async function takeStep(
  job_id: string,
  { act: deed, place }: { readonly act: string; readonly place: number },
) {
  const pending = (await listStored(job_id)).filter(({ match_status }) => match_status === 'pending_review');
  const match = pending[place % Math.max(1, pending.length)];
  if (!match) return;
  if (deed === 'kept') await app.sql.transaction((tx) => keepMatch(tx, { id: match.id, job_id }));
  // Refused while the job is a draft.
  else {
    const body = { status: 'org_interested' };
    const { status } = await app.request('PUT', `/matches/${match.id}/status`, { token, body });
    if (status === 200 && deed === 'accepted') await forceMatchStatus(app, match.id, 'member_accepted');
  }
}

function findFacts(member_id: string) {
  return app.sql.one(sql<Parameters<typeof listRequirements>[1]>`
    select location_country, location_state, years_experience, education_level, clearance_held
    from members join matching_preferences on member_id = members.id where members.id = ${member_id}`);
}
