import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { setConsent, createCredential, registerSharingMember } from '#test/modules/credentials.ts';

const app = await startApp();
const member = await registerSharingMember(app);

const set = (id: string, body: object, token: string | undefined = member.token) =>
  app.request('PUT', `/credentials/${id}/visibility`, { ...(token && { token }), body });

test('a member can show a credential and hide it again', async () => {
  const credential = await createCredential(app, member.token);
  for (const visibility of ['public', 'private', 'private'])
    expect(await set(credential.id, { visibility })).toMatchObject({
      status: 200,
      body: { ...credential, visibility },
    });
});

test('showing requires level 3 and consent to credential_sharing; hiding requires neither', async () => {
  const newcomer = await app.registerMember();
  const { id } = await createCredential(app, newcomer.token);
  expect(await set(id, { visibility: 'public' }, newcomer.token)).toMatchObject({
    status: 403,
    body: { code: 'engagement_level_too_low' },
  });
  const other = await app.registerDeployedMember();
  const theirs = await createCredential(app, other.token);
  expect(await set(theirs.id, { visibility: 'public' }, other.token)).toMatchObject({
    status: 403,
    body: { code: 'consent_required' },
  });
  await setConsent(app, other.token, 'credential_sharing', true);
  expect((await set(theirs.id, { visibility: 'public' }, other.token)).status).toBe(200);
  await setConsent(app, other.token, 'credential_sharing', false);
  expect((await set(theirs.id, { visibility: 'private' }, other.token)).status).toBe(200);
});

test('a verification in the meantime does not refuse the change, and another change does', async () => {
  const credential = await createCredential(app, member.token);
  const path = `/credentials/${credential.id}`;
  const readTag = async () => (await app.request('GET', path, { token: member.token })).headers['etag'];
  const tag = String(await readTag());
  expect((await app.request('GET', `${path}/verify`)).status).toBe(200);
  const after = await app.request('GET', path, { token: member.token });
  expect([after.body.verifications, after.headers['etag']]).toEqual([1, tag]);
  const setIfMatch = (visibility: string) =>
    app.request('PUT', `${path}/visibility`, {
      token: member.token,
      body: { visibility },
      headers: { 'if-match': tag },
    });
  const shown = await setIfMatch('public');
  expect([shown.status, shown.headers['etag']]).toEqual([200, await readTag()]);
  const refused = await setIfMatch('private');
  expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
});

test('only its member can change the visibility of a credential', async () => {
  const { id } = await createCredential(app, member.token);
  const body = { visibility: 'public' };
  const other = await registerSharingMember(app);
  expect(await set(id, body, other.token)).toMatchObject({
    status: 404,
    body: { code: 'credential_not_found' },
  });
  expect((await set(id, body, (await app.registerPlatformAdmin()).token)).status).toBe(403);
  expect((await app.request('PUT', `/credentials/${id}/visibility`, { body })).status).toBe(401);
  const { body: record } = await app.request('GET', `/credentials/${id}`, { token: member.token });
  expect(record.visibility).toBe('private');
});

test('an invalid field is refused by name', async () => {
  const { id } = await createCredential(app, member.token);
  for (const body of [{}, { visibility: 'secret' }, { visibility: null }]) {
    const reply = await set(id, body);
    expect([reply.status, reply.body.errors[0].pointer]).toEqual([422, '/visibility']);
  }
});
