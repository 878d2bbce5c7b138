import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp, unknownId } from '#test/harness.ts';
import type { TestMatch } from '#test/modules/feedback.ts';
import { achievementDraft, createVouchedMatch, listOffers, sendAttestation } from '#test/modules/offers.ts';

const app = await startApp();

const sendTable = ({ org }: Pick<TestMatch, 'org'>, csv: string, token: string | undefined = org.token) =>
  app.request('POST', '/orgs/me/credentials/import', { ...(token && { token }), body: { csv } });

const listReasons = (body: { errors: { reason: string }[] }) => body.errors.map(({ reason }) => reason);

const countOffers = async (org_id: string) =>
  (await app.sql.list(sql`select id from credential_offers where org_id = ${org_id}`)).length;

describe('a table', () => {
  it('offers to each person what its row says, with cells separated as spreadsheets do', async () => {
    const match = await createVouchedMatch(app);
    const { token, org_id } = match.org;
    await app.request('POST', '/orgs/me/achievements', { token, body: achievementDraft });
    const csv = `\uFEFFMatch_id;achievement;statement;expiry_days;Person
${match.match_id.toUpperCase()};Field team lead;;30;Ada Lind

${match.match_id};;"Led the sampling;
of 40 sites.";
`;
    const { status, body } = await sendTable(match, csv);
    expect([status, body]).toEqual([201, { offered: 2 }]);
    const offers = await listOffers(app, match.member.token);
    expect(new Set(offers.map(({ claims }) => claims.achievement_name ?? claims.statement))).toEqual(
      new Set(['Field team lead', 'Led the sampling;\nof 40 sites.']),
    );
    expect(await countOffers(org_id)).toBe(2);
  });

  it('is refused as a whole, with the line and the column of every fault', async () => {
    const [match, stranger] = [await createVouchedMatch(app), await createVouchedMatch(app)];
    await sendAttestation(app, match, { claims: { statement: 'Known.' } });
    const { match_id } = match;
    const csv = `match_id,member_id,credential_type,achievement,statement,expiry_days
${match_id},,,,Fine.,
${match_id},,,,Fine.,
${match_id},,,,Known.,
${stranger.match_id},,,,Fine.,
,${unknownId},,,Fine.,
,${match.org.user_id},,,Fine.,
nobody,,,,Fine.,0
,,diploma,Unknown,,1.5
${match_id},,placement_attestation,,,
${match_id},,placement_attestation,,Words.,,more
`;
    const { status, body } = await sendTable(match, csv);
    expect([status, body.code]).toEqual([422, 'table_faulty']);
    expect(listReasons(body)).toEqual([
      'line 3, column match_id: The same is offered to the member already.',
      'line 4, column match_id: The same is offered to the member already.',
      'line 5, column match_id: The match was not found.',
      'line 6, column member_id: The member was not found.',
      'line 7, column member_id: The member was not found.',
      'line 8, column match_id: must be an id',
      'line 8, column expiry_days: must be a whole number from 1 to 3650',
      'line 9, column match_id: or member_id must be filled in, and not both',
      'line 9, column credential_type: must be placement_attestation or org_validation',
      'line 9, column achievement: is not an achievement of the organisation',
      'line 9, column expiry_days: must be a whole number from 1 to 3650',
      'line 10, column credential_type: No placement is recorded. Record it first, with POST /matches/{match_id}/outcome.',
      'line 11, column 7: has no name in the header',
      'line 11, column statement: must be left out for the type placement_attestation: the service adds what is recorded',
    ]);
    expect(await countOffers(match.org.org_id)).toBe(1);
  });

  it('with a thousand faults is answered with all of them, and offers nothing', async () => {
    const match = await createVouchedMatch(app);
    const rows = Array.from({ length: 500 }, () => 'nobody,x,none');
    const { status, body } = await sendTable(match, ['match_id,statement,expiry_days', ...rows].join('\n'));
    expect([status, body.errors.length]).toEqual([422, 1_000]);
    expect(body.detail).toContain('1000 faults');
    expect(await countOffers(match.org.org_id)).toBe(0);
  });

  it.each([
    ['match_id\n', 'must have a header and at least one row'],
    [`match_id\n${'x\n'.repeat(501)}`, 'must have at most 500 rows'],
    ['match_id,statement\n1,"open\n', 'cannot be read after line 1'],
  ])('that is none is refused: %j', async (csv, reason) => {
    const { status, body } = await sendTable(await createVouchedMatch(app), csv);
    expect([status, body.errors[0]]).toMatchObject([422, { pointer: '/csv' }]);
    expect(body.errors[0].reason).toContain(reason);
  });

  it('is refused with other columns', async () => {
    const { body } = await sendTable(await createVouchedMatch(app), 'name,statement,statement\nAda,x,y\n');
    expect(listReasons(body).slice(0, 3)).toEqual([
      'line 1, column name: is not one of match_id, member_id, credential_type, achievement, statement, job_title, expiry_days, person',
      'line 1, column statement: appears twice',
      'line 1, column match_id: or member_id must be among the columns',
    ]);
  });

  it('is sent by administrators of an organisation with a proven domain', async () => {
    const match = await createVouchedMatch(app);
    const csv = `match_id,statement\n${match.match_id},Fine.\n`;
    expect((await sendTable(match, csv, '')).status).toBe(401);
    expect((await sendTable(match, csv, match.member.token)).status).toBe(403);
    const org = await app.registerOrgAdmin();
    expect((await sendTable({ org }, csv)).body.code).toBe('proven_domain_required');
  });
});

it('a table that the tier does not allow in a day is refused as too long, because waiting would not help', async () => {
  const limited = await startApp({ TESSERA_RATE_LIMITS: 'on' });
  const { org } = await createVouchedMatch(limited);
  const csv = `match_id,statement\n${`${unknownId},Fine.\n`.repeat(26)}`;
  const { status, body, headers } = await limited.request('POST', '/orgs/me/credentials/import', {
    token: org.token,
    body: { csv },
  });
  expect([status, body.errors, headers['retry-after']]).toEqual([
    422,
    [{ pointer: '/csv', reason: 'has 26 rows, and the tier E1 Explorer allows 25 offers in 24 hours' }],
    undefined,
  ]);
});
