import { expect, test } from 'vitest';
import { findArchetype, personalData } from '#modules/measurement/archetypes';
import { archetypeTemplates } from './templates.ts';
import { sql } from '#platform/database/database.ts';
import { answerFirstStage, registerMeasurableMember } from '#test/assessment.ts';
import { startApp } from '#test/harness.ts';
import { noAccounts } from '#test/personal-data.ts';
import { proves } from '#test/requirements.ts';

const app = await startApp();

const variance = Array<number>(20).fill(0.1);
const findTemplateVector = (code: string) =>
  archetypeTemplates.find(({ archetype }) => archetype === code)!.vector;
const read = (token?: string) => app.request('GET', '/members/me/archetype', { ...(token && { token }) });

test('returns the archetype of a measured member with family, description and confidence', async () => {
  proves('archetype-get-endpoint-jwt');
  const { token, member_id } = await app.registerDeployedMember({
    mean: findTemplateVector('keel'),
    variance,
  });
  const { status, body } = await read(token);
  expect(status).toBe(200);
  expect(body).toEqual({
    member_id,
    archetype: 'keel',
    name: 'Keel',
    archetype_family: 'stewardship',
    description: 'Stays level when demands are highest, and steadies others.',
    confidence: expect.any(Number),
    confidence_level: 'high',
    certainty: 'high',
    family_probability: expect.any(Number),
    alternatives: [],
    preliminary: false,
    runner_up: expect.any(String),
    vector_version: 1,
    provisional: false,
    templates_version: 'archetypes-1',
    assigned_at: app.clock.now().toISOString(),
  });
});

test('a member whose family is not certain is between the two most probable ones', async () => {
  const [keel, lens] = [findTemplateVector('keel'), findTemplateVector('lens')];
  const mean = keel.map((each, slot) => 0.55 * each + 0.45 * lens[slot]!);
  const { token } = await app.registerDeployedMember({ mean, variance: Array<number>(20).fill(0.3) });
  const { body } = await read(token);
  expect(body).toMatchObject({ archetype: null, archetype_family: null, certainty: 'low' });
  const [one, other] = body.alternatives;
  expect(new Set([one.archetype_family, other.archetype_family])).toEqual(new Set(['stewardship', 'craft']));
  expect(one.probability).toBeGreaterThanOrEqual(other.probability);
  expect(body.name).toBe(`Between ${one.archetype_family} and ${other.archetype_family}`);
  expect(body.description).toMatch(/^Between \w+ \([^()]+\) and \w+ \([^()]+\)\.$/);
});

test('an archetype from a preliminary result is marked', async () => {
  const { token, member_id } = await app.registerDeployedMember({
    mean: findTemplateVector('keel'),
    variance,
  });
  await app.sql.run(sql`update trait_vectors set stage = 'first' where member_id = ${member_id}`);
  expect((await read(token)).body).toMatchObject({ archetype: 'keel', preliminary: true });
});

test('the archetype follows the latest trait vector only', async () => {
  proves('archetype-assigned-from-latest-trait-vector');
  const { token, member_id } = await app.registerDeployedMember({
    mean: findTemplateVector('bell'),
    variance,
  });
  expect((await read(token)).body).toMatchObject({ archetype: 'bell', vector_version: 1 });
  app.clock.advance(3_600_000);
  await app.sql.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
    values (${member_id}, 2, 'test', '{}', ${findTemplateVector('lens')}, ${variance}, ${app.clock.now()})`);
  expect((await read(token)).body).toMatchObject({
    archetype: 'lens',
    vector_version: 2,
    assigned_at: app.clock.now().toISOString(),
  });
});

test('a member has an archetype after the first stage of the assessment, and 404 before it', async () => {
  const { token } = await registerMeasurableMember(app);
  const before = await read(token);
  expect([before.status, before.body.code]).toEqual([404, 'archetype_not_found']);
  await answerFirstStage(app, token);
  expect((await read(token)).status).toBe(200);
});

test('each member reads their own archetype', async () => {
  const [one, other] = await Promise.all(
    ['seal', 'whetstone'].map((code) =>
      app.registerDeployedMember({ mean: findTemplateVector(code), variance }),
    ),
  );
  expect((await read(one!.token)).body).toMatchObject({ member_id: one!.member_id, archetype: 'seal' });
  expect((await read(other!.token)).body).toMatchObject({
    member_id: other!.member_id,
    archetype: 'whetstone',
  });
});

test('other modules get the same archetype, and undefined before a measurement', async () => {
  const measured = await app.registerDeployedMember({ mean: findTemplateVector('bridge'), variance });
  expect(await findArchetype(app.sql, measured.member_id)).toMatchObject({
    archetype: 'bridge',
    archetype_family: 'fellowship',
    confidence_level: 'high',
  });
  expect(await findArchetype(app.sql, (await app.registerMember()).member_id)).toBeUndefined();
});

test('a data export contains the archetype', async () => {
  const { member_id } = await app.registerDeployedMember({ mean: findTemplateVector('sail'), variance });
  expect(await personalData.exportPersonalData(app.sql, member_id, noAccounts)).toEqual([
    { name: 'archetype', rows: [expect.objectContaining({ archetype: 'sail', vector_version: 1 })] },
  ]);
  expect(
    await personalData.exportPersonalData(app.sql, (await app.registerMember()).member_id, noAccounts),
  ).toEqual([{ name: 'archetype', rows: [] }]);
});

test('rejects a request without a token', async () => {
  const { status, body } = await read();
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('rejects users of organisations and platform administrators', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('rejects an unknown query parameter and names it', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('GET', '/members/me/archetype?version=1', { token });
  expect([status, body.errors[0].pointer]).toEqual([422, '/version']);
});
