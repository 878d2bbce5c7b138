import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { createColleague } from '#test/colleague.ts';
import { submitAnswers, buildAnswers } from '#test/modules/culture.ts';
import { bravingDimensions, cvfQuadrants } from './questionnaire.ts';

const app = await startApp();

const read = (token?: string, query = '') =>
  app.request('GET', `/orgs/me/culture-profile/questionnaire${query}`, { ...(token && { token }) });

test('returns the scale, all statements, all blocks and the number of missing respondents', async () => {
  proves('culture-questionnaire-endpoint-jwt');
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await read(token);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    version: 'culture-2',
    minimum_respondents: 5,
    respondents_missing: 5,
    answered_at: null,
  });
  expect(body.scale).toHaveLength(5);
  expect(body.braving).toHaveLength(28);
  expect(body.braving[0]).toEqual({
    item_id: 'boundaries_01',
    text: 'People here say clearly what they can take on and what they cannot.',
  });
  expect(body.cvf).toHaveLength(6);
  expect(body.cvf[2]).toEqual({
    block_id: 'bond',
    text: 'What holds us together is …',
    statements: [
      { statement_id: 'a', text: '… the will to win.' },
      { statement_id: 'b', text: '… loyalty and trust among us.' },
      { statement_id: 'c', text: '… clear rules and procedures.' },
      { statement_id: 'd', text: '… the wish to be first with something new.' },
    ],
  });
});

test('never places two statements of a dimension next to each other, and names no quadrant', async () => {
  const { token } = await app.registerOrgAdmin();
  const { body } = await read(token);
  const dimensions = body.braving.map(({ item_id }: { item_id: string }) => item_id.replace(/_\d+$/, ''));
  expect(dimensions).toEqual([0, 1, 2, 3].flatMap(() => [...bravingDimensions]));
  for (const quadrant of cvfQuadrants) expect(JSON.stringify(body.cvf)).not.toContain(quadrant);
});

test('a client can build valid answers from the reply alone', async () => {
  const { token } = await app.registerOrgAdmin();
  const { body } = await read(token);
  const { status } = await app.request('POST', '/orgs/me/culture-profile/responses', {
    token,
    body: {
      questionnaire_version: body.version,
      answers: {
        braving: Object.fromEntries(body.braving.map(({ item_id }: { item_id: string }) => [item_id, 3])),
        cvf: Object.fromEntries(
          body.cvf.map(
            ({ block_id, statements }: { block_id: string; statements: { statement_id: string }[] }) => [
              block_id,
              statements.map(({ statement_id }) => statement_id),
            ],
          ),
        ),
      },
    },
  });
  expect(status).toBe(201);
});

test('shows respondents when they answered and never their answers, and other users how many are missing', async () => {
  const admin = await app.registerOrgAdmin();
  const viewer = await createColleague(app, admin.org_id);
  const auditor = await createColleague(app, admin.org_id, 'auditor');
  await submitAnswers(app, viewer.token, buildAnswers(4));
  const own = await read(viewer.token);
  expect(own.body).toMatchObject({ answered_at: app.clock.now().toISOString(), respondents_missing: 4 });
  for (const { token } of [admin, auditor])
    expect((await read(token)).body).toMatchObject({ answered_at: null, respondents_missing: 4 });
});

test('does not count the answers of another organisation', async () => {
  const [ours, theirs] = [await app.registerOrgAdmin(), await app.registerOrgAdmin()];
  await submitAnswers(app, theirs.token, buildAnswers(4));
  expect((await read(ours.token)).body).toMatchObject({ answered_at: null, respondents_missing: 5 });
});

test('refuses callers who are not logged in', async () => {
  const { status, body } = await read();
  expect([status, body.code]).toEqual([401, 'authentication_required']);
});

test('refuses members and platform administrators', async () => {
  for (const { token } of [await app.registerMember(), await app.registerPlatformAdmin()]) {
    const { status, body } = await read(token);
    expect([status, body.code]).toEqual([403, 'role_not_allowed']);
  }
});

test('rejects an unknown query field by name', async () => {
  const { token } = await app.registerOrgAdmin();
  const { status, body } = await read(token, '?language=de');
  expect([status, body.errors[0].pointer]).toEqual([422, '/language']);
});
