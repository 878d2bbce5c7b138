import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { traitCodes } from '#modules/measurement/traits';
import { startApp } from '#test/harness.ts';
import { createJob, fillSlots, insertMembers, listStoredMatches, runTask } from '#test/modules/matching.ts';
import { createColleague } from '#test/colleague.ts';
import { roundPeople } from './computing/round-people.ts';
import { lookAtMembers } from './snapshot/look-at-members.ts';

const app = await startApp();
const { token, org_id } = await app.registerOrgAdmin();
const path = '/orgs/me/jobs/reach/tiers';
const trait_priorities = { empathic_attunement: 0.8, persistence: 0.5, sincerity: 0.6 };
const random = createSeededRandom(5);
const request = (body: object = { trait_priorities }) => app.request('POST', path, { token, body });

async function addMembers(count: number): Promise<void> {
  const people = Array.from({ length: count }, () => ({
    mean: traitCodes.map(() => drawStandardNormal(random)),
    variance: fillSlots(0.15),
  }));
  await insertMembers(app, people);
}

beforeAll(async () => {
  await addMembers(49);
  await runTask(app, lookAtMembers, {});
});

test('nothing is said of fewer than fifty members, and then about as many have each tier as a job finds', async () => {
  expect((await request()).body).toEqual({ measured_on: null, members: null, tiers: [] });
  await addMembers(751);
  await runTask(app, lookAtMembers, {});
  const { status, body } = await request();
  expect([status, body.members, body.measured_on]).toEqual([
    200,
    800,
    app.clock.now().toISOString().slice(0, 10),
  ]);
  const job_id = await createJob(app, token, trait_priorities);
  await app.drainQueue();
  const matches = await listStoredMatches(app, job_id);
  for (const { match_quality, about } of body.tiers.slice(0, 3)) {
    const found = matches.filter((match) => match.match_quality === match_quality).length;
    expect([match_quality, Math.abs(found - (about ?? 5)) <= 20 + found * 0.25]).toEqual([
      match_quality,
      true,
    ]);
  }
});

test('new members change nothing until the next measurement, so that no setting tells who came', async () => {
  const before = (await request()).body;
  await addMembers(60);
  await runTask(app, lookAtMembers, {});
  expect((await request()).body).toEqual(before);
});

test('is refused without priorities, to a colleague who may only look, and to others', async () => {
  const cases: readonly (readonly [object, string])[] = [
    [{}, '/trait_priorities'],
    [{ trait_priorities: {} }, '/trait_priorities'],
    [{ trait_priorities: { charm: 1 } }, '/trait_priorities/charm'],
    [{ trait_priorities: { persistence: 2 } }, '/trait_priorities/persistence'],
  ];
  for (const [body, pointer] of cases) {
    const refused = await request(body);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, pointer]);
  }
  const body = { trait_priorities };
  expect((await app.request('POST', path, { body })).status).toBe(401);
  const viewer = await createColleague(app, org_id);
  const member = await app.registerMember();
  for (const other of [viewer, member])
    expect((await app.request('POST', path, { token: other.token, body })).status).toBe(403);
});

test('numbers of people are multiples of ten with two digits at most', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (people) => {
      const rounded = roundPeople(people);
      if (rounded === null) return people < 10;
      const digits = String(rounded).replace(/0+$/, '').length;
      return rounded % 10 === 0 && digits <= 2 && Math.abs(rounded - people) <= Math.max(5, people * 0.05);
    }),
  );
});
