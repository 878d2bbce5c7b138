import { expect, test } from 'vitest';
import { memberDeployed } from '#modules/people/members';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { filledProfile } from '#test/users.ts';
import { ConfigError } from '#platform/config-numbers.ts';
import { identityAnswers, identityChoices } from './rules.ts';
import { listConsentedAnswers } from './store.ts';

const app = await startApp();

const path = '/members/me/self-identification';
const nothing = { gender: [], age_band: null, ethnicity: [], disability: null };
const set = (token: string, body: unknown) => app.request('PUT', path, { token, body });
const read = async (token: string) => (await app.request('GET', path, { token })).body;
const readAnswers = async (token: string) => {
  const { gender, age_band, ethnicity, disability } = await read(token);
  return { gender, age_band, ethnicity, disability };
};
const decide = (token: string, granted: boolean) =>
  app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'demographic_self_identification', granted, version: '1.0' },
  });

async function registerConsenting() {
  const member = await app.registerMember();
  expect((await decide(member.token, true)).status).toBe(201);
  return member;
}

const countStored = async (member_id: string) =>
  (await app.sql.list(sql`select from self_identifications where member_id = ${member_id}`)).length;

test('answers are stored, replace earlier ones, and are the member’s own', async () => {
  const { token } = await registerConsenting();
  expect(await readAnswers(token)).toEqual(nothing);
  const answers = {
    gender: ['woman'],
    age_band: '35_to_44',
    ethnicity: ['asian', 'white'],
    disability: 'no',
  };
  expect(await set(token, answers)).toMatchObject({ status: 200, body: answers });
  expect(await readAnswers(token)).toEqual(answers);
  expect((await set(token, { gender: ['another'] })).body).toMatchObject({ ...nothing, gender: ['another'] });
  expect(await readAnswers((await app.registerMember()).token)).toEqual(nothing);
});

test('who chooses several groups is counted once, as several', async () => {
  const { token, member_id } = await registerConsenting();
  const readCounted = () => listConsentedAnswers(app.sql, [member_id]);
  await set(token, { gender: ['woman', 'non_binary'], ethnicity: ['asian'] });
  expect(await readCounted()).toEqual([
    { member_id, gender: 'several', age_band: null, ethnicity: 'asian', disability: null },
  ]);
  await set(token, { ethnicity: ['black', 'white', 'asian'] });
  expect(await readCounted()).toMatchObject([{ gender: null, ethnicity: 'several' }]);
});

const moveTo = (token: string, location_country: string) =>
  app.request('PUT', '/members/me/profile', { token, body: { location_country } });

test('the country of the profile decides what is asked, and other answers are refused', async () => {
  const { token, member_id } = await registerConsenting();
  expect(await read(token)).toMatchObject({ country: null, offered: identityChoices });
  expect((await moveTo(token, 'FR')).status).toBe(200);
  expect(await read(token)).toMatchObject({ country: 'FR', offered: { ...identityChoices, ethnicity: [] } });
  const refused = await set(token, { gender: ['man'], ethnicity: ['white'] });
  expect(refused).toMatchObject({
    status: 422,
    body: {
      code: 'field_invalid',
      errors: [{ pointer: '/ethnicity', reason: 'is not asked in your country' }],
    },
  });
  expect(await countStored(member_id)).toBe(0);
  expect((await set(token, { gender: ['man'], ethnicity: [] })).status).toBe(200);
  await moveTo(token, 'US');
  expect((await set(token, { ethnicity: ['another'] })).status).toBe(422);
  expect((await set(token, { ethnicity: ['white', 'middle_eastern_or_north_african'] })).status).toBe(200);
});

test('a move of a deployed member deletes the answers that are not asked in the new country, and no others', async () => {
  const { token } = await app.registerDeployedMember();
  await decide(token, true);
  const answers = {
    gender: ['woman'],
    age_band: '35_to_44',
    ethnicity: ['several', 'white'],
    disability: 'no',
  };
  await set(token, answers);
  const moveTo = (location_country: string) =>
    app.request('PUT', '/members/me/profile', { token, body: { ...filledProfile, location_country } });
  await moveTo('NZ');
  await app.drainQueue();
  expect(await readAnswers(token)).toEqual(answers);
  await moveTo('US');
  await app.drainQueue();
  expect(await readAnswers(token)).toEqual({ ...answers, ethnicity: ['white'] });
  await moveTo('FR');
  await app.drainQueue();
  await moveTo('NZ');
  expect(await readAnswers(token)).toEqual({ ...answers, ethnicity: [] });
});

test('when a member is deployed, answers that are not asked in their country are deleted', async () => {
  const own = await startApp({ TESSERA_SELF_IDENTIFICATION: 'DE.gender=man,woman;DE.age_band=none' });
  const { token, member_id } = await own.registerMember();
  const request = (method: 'PUT' | 'POST', url: string, body: object) =>
    own.request(method, url, { token, body });
  const decision = { consent_type: 'demographic_self_identification', granted: true, version: '1.0' };
  await request('POST', '/members/me/consent', decision);
  await request('PUT', path, { gender: ['non_binary'], age_band: '35_to_44', disability: 'yes' });
  await request('PUT', '/members/me/profile', { location_country: 'DE' });
  await own.sql.transaction((tx) => own.platform.queue.emit(tx, memberDeployed, { member_id }));
  await own.drainQueue();
  const { body } = await own.request('GET', path, { token });
  expect(body).toMatchObject({ gender: [], age_band: null, ethnicity: [], disability: 'yes' });
});

test('the operator decides what is asked in a country', async () => {
  const own = await startApp({ TESSERA_SELF_IDENTIFICATION: 'DE.ethnicity=none;DE.gender=man,woman' });
  const { token } = await own.registerMember();
  await own.request('PUT', '/members/me/profile', { token, body: { location_country: 'DE' } });
  const decision = { consent_type: 'demographic_self_identification', granted: true, version: '1.0' };
  await own.request('POST', '/members/me/consent', { token, body: decision });
  const { body } = await own.request('GET', path, { token });
  expect(body.offered).toEqual({ ...identityChoices, ethnicity: [], gender: ['woman', 'man'] });
  await expect(startApp({ TESSERA_SELF_IDENTIFICATION: 'DE.religion=none' })).rejects.toThrow(ConfigError);
});

test('without the consent nothing is stored', async () => {
  const { token, member_id } = await app.registerMember();
  const { status, body } = await set(token, { gender: ['woman'] });
  expect([status, body.code]).toEqual([403, 'consent_required']);
  expect(await countStored(member_id)).toBe(0);
});

test('withdrawing the consent deletes the answers, and withdrawing another does not', async () => {
  const { token, member_id } = await registerConsenting();
  await set(token, { gender: ['man'] });
  await app.request('POST', '/members/me/consent', {
    token,
    body: { consent_type: 'credential_sharing', granted: false, version: '1.0' },
  });
  await app.drainQueue();
  expect(await countStored(member_id)).toBe(1);
  await decide(token, false);
  await app.drainQueue();
  expect(await countStored(member_id)).toBe(0);
  expect(await readAnswers(token)).toEqual(nothing);
});

test('an If-Match of an older state is refused', async () => {
  const { token } = await registerConsenting();
  const { headers } = await app.request('GET', path, { token });
  await set(token, { gender: ['man'] });
  const { status } = await app.request('PUT', path, {
    token,
    body: { gender: ['woman'] },
    headers: { 'if-match': String(headers['etag']) },
  });
  expect(status).toBe(412);
  expect(await read(token)).toMatchObject({ gender: ['man'] });
});

test('answers are in the member’s copy of the data', async () => {
  const { token, member_id } = await registerConsenting();
  await set(token, { ethnicity: ['asian', 'black'] });
  const { body } = await app.request('GET', `/exports/member/${member_id}/gdpr-data`, { token });
  expect(body).toContain('selfIdentification.self_identification,1,ethnicity,"[""asian"",""black""]"');
});

test.each([
  ['an unknown answer', { gender: ['unknown'] }],
  ['an answer that is no list', { gender: 'woman' }],
  ['the same answer twice', { gender: ['woman', 'woman'] }],
  ['a group that only reports have', { gender: ['several'] }],
  ['several answers to a question with one', { age_band: ['under_25', '25_to_34'] }],
  ['an unknown field', { religion: 'none' }],
])('refuses %s and changes nothing', async (_, body) => {
  const { token, member_id } = await registerConsenting();
  expect((await set(token, body)).status).toBe(422);
  expect(await countStored(member_id)).toBe(0);
});

test('refuses other roles and callers who are not logged in', async () => {
  const { token } = await app.registerOrgAdmin();
  for (const method of ['GET', 'PUT']) {
    const body = method === 'PUT' ? { body: {} } : {};
    expect((await app.request(method, path, { token, ...body })).status).toBe(403);
    expect((await app.request(method, path, body)).status).toBe(401);
  }
});

test('every question has answers that differ, and none means that nothing is said', () => {
  for (const answers of Object.values(identityAnswers)) {
    expect(new Set(answers).size).toBe(answers.length);
    expect(answers).not.toContain('not_stated');
  }
});
