import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { createCredential } from '#test/modules/credentials.ts';

const app = await startApp();

const read = (id: string, format: string, token?: string) =>
  app.server.inject({
    url: `/api/v1/credentials/${id}/open-badge?format=${format}`,
    headers: { accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
  });

test('a member gets the badge as JSON and baked into both kinds of picture', async () => {
  const { token } = await app.registerMember();
  const { id } = await createCredential(app, token);
  const json = await read(id, 'json', token);
  expect(json.statusCode).toBe(200);
  expect(json.headers['content-type']).toBe('application/json');
  const text = json.body;
  expect(JSON.parse(text)).toMatchObject({ id: `urn:uuid:${id}`, proof: { cryptosuite: 'eddsa-rdfc-2022' } });
  const png = await read(id, 'png', token);
  expect(png.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-store' });
  // The signature of equal content is equal.
  expect(png.rawPayload.includes(Buffer.from(`openbadgecredential\0\0\0\0\0${text}`))).toBe(true);
  const svg = await read(id, 'svg', token);
  expect(svg.headers['content-type']).toMatch(/^image\/svg\+xml/);
  expect(svg.body).toContain(`<openbadges:credential><![CDATA[${text}]]>`);
});

test('nobody else gets a badge, except a platform administrator', async () => {
  const [member, other, org] = [
    await app.registerMember(),
    await app.registerMember(),
    await app.registerOrgAdmin(),
  ];
  const admin = await app.registerPlatformAdmin();
  const { id } = await createCredential(app, member.token);
  expect((await read(id, 'png', admin.token)).statusCode).toBe(200);
  expect((await read(id, 'png')).statusCode).toBe(401);
  expect((await read(id, 'png', org.token)).statusCode).toBe(403);
  expect((await read(id, 'png', other.token)).statusCode).toBe(404);
  expect((await read('nonsense', 'png', member.token)).statusCode).toBe(422);
  expect((await read(id, 'gif', member.token)).json().errors[0].pointer).toBe('/format');
});

test('the addresses in a badge lead to the definition of its achievement and to its picture', async () => {
  const { token } = await app.registerMember();
  const { id } = await createCredential(app, token);
  const { achievement } = JSON.parse((await read(id, 'json', token)).body).credentialSubject;
  const fetchOwn = (url: string) => app.server.inject({ url: url.replace('http://localhost:8420', '') });
  const definition = await fetchOwn(achievement.id);
  expect(JSON.parse(definition.body)).toEqual({
    '@context': ['https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json'],
    ...achievement,
  });
  const picture = await fetchOwn(achievement.image.id);
  expect(picture.headers).toMatchObject({
    'content-type': 'image/png',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(picture.rawPayload.subarray(1, 4).toString()).toBe('PNG');
  for (const url of ['/achievements/card.png', `${achievement.id}/badge.svg`, `${achievement.id}/card.png`])
    expect((await fetchOwn(url)).statusCode).toBe(200);
});

test('a type that does not exist, a tier in which it is not issued, and another picture are not found', async () => {
  for (const path of [
    'trait_attestation/org_validated',
    'magic/self_attested',
    'trait_attestation/self_attested/../../x',
    'trait_attestation/self_attested/badge.gif',
    'constructor/constructor',
  ])
    expect((await app.server.inject({ url: `/achievements/${path}` })).statusCode).toBe(404);
});
