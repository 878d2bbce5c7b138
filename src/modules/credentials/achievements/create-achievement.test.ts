import { describe, expect, it } from 'vitest';
import { startApp } from '#test/harness.ts';
import { achievementDraft, createPng } from '#test/modules/offers.ts';
import { achievementLimits, image_bytes_max } from './rules.ts';

const app = await startApp();

const define = (token: string | undefined, body: object = {}) =>
  app.request('POST', '/orgs/me/achievements', {
    ...(token && { token }),
    body: { ...achievementDraft, ...body },
  });

describe('an achievement', () => {
  it('is defined with a picture, which anyone can see by its content', async () => {
    const { token } = await app.registerOrgAdmin();
    const image = createPng();
    const alignments = [
      { framework: 'onet', code: '19-4042.00', name: 'Environmental Science Technicians' },
      { framework: 'esco', code: 'http://data.europa.eu/esco/skill/ccd0a1d9', name: 'lead a team' },
    ];
    const { status, body } = await define(token, { image: image.toString('base64'), alignments });
    expect([status, body]).toMatchObject([
      201,
      { ...achievementDraft, alignments, is_offered: false, archived: false },
    ]);
    const served = await app.server.inject({ url: new URL(body.image_url).pathname });
    expect([served.statusCode, served.headers['content-type']]).toEqual([200, 'image/png']);
    expect(served.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(served.rawPayload.equals(image)).toBe(true);
  });

  it('needs no picture, and its name belongs to one that is not archived', async () => {
    const { token } = await app.registerOrgAdmin();
    const { body } = await define(token);
    expect(body.image_url).toBeNull();
    expect((await app.request('GET', `//achievement-images/${body.id}`)).status).toBe(404);
    expect((await app.request('GET', '//achievement-images/nothing')).status).toBe(404);
    const again = await define(token);
    expect([again.status, again.body.code]).toEqual([409, 'achievement_name_taken']);
    await app.request('PATCH', `/orgs/me/achievements/${body.id}`, { token, body: { archived: true } });
    expect((await define(token)).status).toBe(201);
    const other = await app.registerOrgAdmin();
    expect((await define(other.token)).status).toBe(201);
  });

  it('is refused with anything but a bounded picture', async () => {
    const { token } = await app.registerOrgAdmin();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const images = [
      svg,
      Buffer.from('GIF89a'),
      createPng(16),
      createPng(4_000),
      Buffer.concat([createPng(), Buffer.from('<script>')]),
    ].map((image) => image.toString('base64'));
    const long = 'A'.repeat(Math.ceil(image_bytes_max / 3) * 4 + 4);
    for (const image of [...images, long, 'not base64!', 'AAA'])
      expect((await define(token, { image })).body).toMatchObject({
        code: 'field_invalid',
        errors: [{ pointer: '/image' }],
      });
    const large = await define(token, { image: 'A'.repeat(50_000_000) });
    expect([large.status, large.body.code]).toEqual([413, 'body_too_large']);
    const { data } = (await app.request('GET', '/orgs/me/achievements', { token })).body;
    expect(data).toEqual([]);
  });

  it('is refused with codes that no framework has, all of them named', async () => {
    const { token } = await app.registerOrgAdmin();
    const alignments = [
      { framework: 'onet', code: '19-4042', name: 'x' },
      { framework: 'esco', code: 'javascript:alert(1)', name: 'y' },
    ];
    const { status, body } = await define(token, { alignments });
    expect([status, body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ['/alignments/0/code', '/alignments/1/code'],
    ]);
  });

  it('is defined by administrators only', async () => {
    expect((await define(undefined)).status).toBe(401);
    const { token } = await app.registerMember();
    const { status, body } = await define(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  });
});

it('the tier limits how many there are, even if several are defined at the same time', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const { token } = await limited.registerOrgAdmin();
  const replies = await Promise.all(
    Array.from({ length: achievementLimits['E1 Explorer'] + 2 }, (_, number) =>
      limited.request('POST', '/orgs/me/achievements', {
        token,
        body: { ...achievementDraft, name: `Number ${number}` },
      }),
    ),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(achievementLimits['E1 Explorer']);
  expect(replies.find(({ status }) => status !== 201)!.body.code).toBe('achievement_limit_reached');
});
