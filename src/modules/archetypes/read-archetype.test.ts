import { beforeAll, expect, test } from 'vitest';
import { findArchetype, archetypeTemplates, exportPersonalData } from '#modules/archetypes';
import { sql } from '#platform/database/database.ts';
import { answerAllItems, registerMeasurableMember } from '#test/assessment.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});

const variance = Array<number>(20).fill(0.1);
const template = (code: string) => archetypeTemplates.find(({ archetype }) => archetype === code)!;
const read = (token?: string) => app.request('GET', '/members/me/archetype', { ...(token && { token }) });

test('the archetype of a measured member has its family, a sentence, and how sure it is', async () => {
  proves('archetype-get-endpoint-jwt');
  const { token, member_id } = await app.registerDeployedMember({ mean: template('keel').vector, variance });
  const { status, body } = await read(token);
  expect(status).toBe(200);
  expect(body).toEqual({
    member_id,
    archetype: 'keel',
    name: 'Keel',
    archetype_family: 'stewardship',
    description: 'Stays level when the demands are heaviest, and steadies those around.',
    confidence: expect.any(Number),
    confidence_level: 'high',
    runner_up: expect.any(String),
    vector_version: 1,
    templates_version: 'archetypes-1',
    assigned_at: app.clock.now().toISOString(),
  });
});

test('a new trait vector brings its own archetype; an older one has no say', async () => {
  proves('archetype-assigned-from-latest-trait-vector');
  const { token, member_id } = await app.registerDeployedMember({ mean: template('bell').vector, variance });
  expect((await read(token)).body).toMatchObject({ archetype: 'bell', vector_version: 1 });
  app.clock.advance(3_600_000);
  await app.sql.run(sql`
    insert into trait_vectors (member_id, version, item_bank_version, vector, latent_mean, latent_variance, created_at)
    values (${member_id}, 2, 'test', '{}', ${template('lens').vector}, ${variance}, ${app.clock.now()})`);
  expect((await read(token)).body).toMatchObject({
    archetype: 'lens',
    vector_version: 2,
    assigned_at: app.clock.now().toISOString(),
  });
});

test('whoever has just finished the assessment has an archetype, and before it none', async () => {
  const { token } = await registerMeasurableMember(app);
  const before = await read(token);
  expect([before.status, before.body.code]).toEqual([404, 'archetype_not_found']);
  await answerAllItems(app, token);
  expect((await read(token)).status).toBe(200);
});

test('each member reads their own', async () => {
  const [one, other] = await Promise.all(
    ['seal', 'whetstone'].map((code) =>
      app.registerDeployedMember({ mean: template(code).vector, variance }),
    ),
  );
  expect((await read(one!.token)).body).toMatchObject({ member_id: one!.member_id, archetype: 'seal' });
  expect((await read(other!.token)).body).toMatchObject({
    member_id: other!.member_id,
    archetype: 'whetstone',
  });
});

test('credentials and paid reads get the same archetype, and nothing before a measurement', async () => {
  const measured = await app.registerDeployedMember({ mean: template('bridge').vector, variance });
  expect(await findArchetype(app.sql, measured.member_id)).toMatchObject({
    archetype: 'bridge',
    archetype_family: 'fellowship',
    confidence_level: 'high',
  });
  expect(await findArchetype(app.sql, (await app.registerMember()).member_id)).toBeUndefined();
});

test('a data export has the archetype', async () => {
  const { member_id } = await app.registerDeployedMember({ mean: template('sail').vector, variance });
  expect(await exportPersonalData(app.sql, member_id)).toEqual([
    { name: 'archetype', rows: [expect.objectContaining({ archetype: 'sail', vector_version: 1 })] },
  ]);
  expect(await exportPersonalData(app.sql, (await app.registerMember()).member_id)).toEqual([
    { name: 'archetype', rows: [] },
  ]);
});

test('nobody reads an archetype without signing in', async () => {
  const { status, body } = await read();
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('people of organisations and platform admins have none', async () => {
  for (const { token } of [await app.registerOrgAdmin(), await app.registerPlatformAdmin()]) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('a query that it does not know is refused by name', async () => {
  const { token } = await app.registerMember();
  const { status, body } = await app.request('GET', '/members/me/archetype?version=1', { token });
  expect([status, body.errors[0].pointer]).toEqual([422, '/version']);
});
