import { randomUUID } from 'node:crypto';
import { importTemplates } from '#modules/matching/jobs';
import { createUser } from '#modules/access/accounts';
import { sql } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import { createSeededRandom, drawStandardNormal } from '@tessera/psychometrics/seeded-random';
import { createClient, fetchRefreshToken, type Client } from '../../src/demo/client.ts';
import { sampleDir } from '../../src/demo/load-jobs.ts';
import { deriveToken } from '../../src/modules/matching/candidates/addresses.ts';
import { createCertificate } from '@tessera/saml/testing';
import { buildAnswers } from '../modules/culture.ts';
import { buildLeverBoard, serveBoards } from '../modules/job-boards.ts';
import { insertMembers } from '../modules/matching.ts';
import { achievementDraft, createPng } from '../modules/offers.ts';
import { fillReads, useFreeReads, type PaidReadIds } from './paid-read-rows.ts';
import { shiftTime } from '../shift-time.ts';

export const password = 'Correct-Horse-7-Battery';

/** The ids of an organisation's pages. */
export type OrganisationIds = PaidReadIds & {
  /** A job with many people. */
  readonly crowd_job: string;
  /** Four of its people, with commas. */
  readonly crowd: string;
  /** A job with a person who has accepted. */
  readonly agreed_job: string;
  /** A job with a person who was placed, and the match with them. */
  readonly placed_job: string;
  readonly placed_match: string;
  readonly colleague: string;
  readonly invitation: string;
  /** The token of the link in an invitation to a job. */
  readonly invitation_link: string;
  readonly only_admin: string;
  readonly service_key: string;
  readonly public_key: string;
  readonly webhook: string;
  readonly inactive_webhook: string;
  readonly failing_webhook: string;
  readonly webhook_delivery: string;
};

/** What the organisation needs: a way to wait for a match, its administrator, and a member whom its jobs suit. */
type Stage = {
  readonly url: string;
  readonly platform: Platform;
  readonly admin: Client;
  readonly member: Client;
  readonly waitFor: <Value>(find: () => Promise<Value | undefined>) => Promise<Value>;
};

const dispatchPriorities = {
  pressure_response: 0.9,
  structure_preference: 0.7,
  accountability: 0.6,
  empathic_attunement: 0.4,
};

/** Fills an organisation: jobs with many people and with an answer, colleagues, an invitation, a culture profile and single sign-on. */
export async function fillOrganisation(stage: Stage) {
  const { url, platform, admin } = stage;
  const { id: org_id } = await admin.get('/orgs/me');
  await platform.database.run(sql`update organisations set tier = 'E3 Operator' where id = ${org_id}`);
  await importTemplates(platform, { dir: sampleDir });
  const [viewer, ...others] = await createColleagues(url, platform, org_id);
  const invitation = await admin.post('/orgs/me/users', { email: 'noor@harbour.example', role: 'auditor' });
  await configureSso(admin, org_id);
  const { job_id: agreed_job, match_id: agreed_match } = await agreeWithMember(stage, 'Hospice coordinator');
  const placed = await placeMember(stage);
  await attestMember(stage, agreed_match);
  const { crowd_job, crowd } = await createCrowd(stage);
  const founder = await registerFounder(url);
  await useFreeReads(platform, founder.id);
  const invited = await inviteToJob(stage, crowd_job);
  const hooks = await subscribe(stage, org_id);
  const keys = await createServiceKeys(stage);
  await admin.put('/orgs/me/partners/greenhouse', { key: 'key-of-the-system' });
  await followBoard(stage);
  await sendDirectory(stage, viewer!.id);
  const reads = await fillReads(platform, { admin, member: stage.member, org_id, job_id: agreed_job });
  return {
    sessions: { viewer: viewer!.session, auditor: others[0]!.session, founder: founder.session },
    ids: {
      crowd_job,
      crowd,
      agreed_job,
      placed_job: placed.job_id,
      placed_match: placed.match_id,
      colleague: viewer!.id,
      invitation: invitation.id as string,
      only_admin: founder.id,
      ...invited,
      ...keys,
      ...hooks,
      ...reads,
    },
  };
}

/** Invites a stranger and the member to a job. The link of the stranger is as in the email, and the member's invitation waits in the account. */
async function inviteToJob({ admin, platform, member }: Stage, job_id: string) {
  const invite = (email: string, external_ref: string) =>
    admin.post(`/orgs/me/jobs/${job_id}/invitations`, { email, external_ref });
  const stranger = await invite('kim.olsen@example.net', 'application 4711');
  const declined = await invite('jo.bell@example.net', 'application 4712');
  await admin.post(`/orgs/me/jobs/${job_id}/invitations/${declined.id}/cancel`, {});
  await invite((await member.get('/auth/me')).email as string, 'application 4713');
  return { invitation_link: deriveToken(platform, stranger.id as string) };
}

/** Offers the member an achievement and a statement, of which the organisation takes one back. */
async function attestMember({ admin }: Stage, match_id: string): Promise<void> {
  const image = createPng(256).toString('base64');
  const { id: achievement_id } = await admin.post('/orgs/me/achievements', { ...achievementDraft, image });
  const credential_type = 'org_validation';
  // One that nobody was offered can still be changed.
  await admin.post('/orgs/me/achievements', { ...achievementDraft, name: 'Flood safety' });
  await admin.post('/orgs/me/credentials', { match_id, credential_type, achievement_id });
  const statement = 'Led the night shift through the flood of May, and left nobody alone.';
  const { id } = await admin.post('/orgs/me/credentials', {
    match_id,
    credential_type,
    claims: { statement },
  });
  await admin.post(`/orgs/me/credentials/${id}/revoke`, { reason: 'The flood was in April.' });
}

const colleagues = [
  ['Grace Hart', 'org_viewer', 4, ['clan', 'hierarchy', 'adhocracy', 'market']],
  ['Li Wei', 'auditor', 3, ['hierarchy', 'clan', 'market', 'adhocracy']],
  ['Sofia Marino', 'org_viewer', 3, ['clan', 'adhocracy', 'hierarchy', 'market']],
  ['Jonas Berg', 'org_viewer', 2, ['clan', 'hierarchy', 'market', 'adhocracy']],
  ['Amara Diallo', 'org_viewer', 4, ['adhocracy', 'clan', 'hierarchy', 'market']],
] as const;

/** Creates colleagues who have answered the culture questionnaire. */
async function createColleagues(url: string, platform: Platform, org_id: string) {
  const created: { readonly id: string; readonly session: string }[] = [];
  for (const [name, role, agreement, order] of colleagues) {
    const email = `${name.toLowerCase().replace(' ', '.')}@harbour.example`;
    const { id } = await createUser(platform, { email, password, role, org_id, name: undefined });
    await platform.database.run(sql`update users set display_name = ${name} where id = ${id}`);
    const session = await fetchRefreshToken(url, { email, password });
    const { access_token } = await createClient(url).post('/auth/login', { email, password });
    const answers = buildAnswers(agreement, order);
    for (const [index, item] of Object.keys(answers.braving).entries())
      if ((index + agreement) % 3 === 0) Object.assign(answers.braving, { [item]: (index + agreement) % 5 });
    await createClient(url, access_token).post('/orgs/me/culture-profile/responses', { answers });
    created.push({ id, session });
  }
  return created;
}

async function configureSso(admin: Client, org_id: string): Promise<void> {
  await admin.post(`/orgs/${org_id}/sso/configure`, {
    idp_entity_id: 'https://idp.harbour.example/saml',
    idp_sso_url: 'https://idp.harbour.example/saml/login',
    idp_certificates: [createCertificate({ name: 'idp.harbour.example' }).certificate],
    email_domains: ['harbour.example', 'harbour-health.org'],
  });
}

/** Creates a job for which a member has accepted. @returns its id, and that of the match. */
async function agreeWithMember({ admin, member, waitFor }: Stage, job_title: string) {
  const { id: job_id, title } = await admin.post('/orgs/me/jobs', {
    title: job_title,
    outcome_description: 'Families have time for each other, because everything else is arranged.',
    trait_priorities: { empathic_attunement: 1, collaborative_orientation: 0.9, discretion: 0.7 },
    constraints: { location_countries: ['AU'], years_experience_min: 2 },
  });
  const id = await waitFor(async () => {
    const { data } = await member.get('/members/me/matches');
    return data.find(({ job_title }: { job_title: string }) => job_title === title)?.id as string | undefined;
  });
  await admin.put(`/matches/${id}/status`, { status: 'org_interested', note: 'We would love to meet you.' });
  await member.post(`/matches/${id}/response`, { decision: 'accept', note: 'Mornings are best.' });
  await waitFor(
    async () => (await admin.get(`/matches/${id}/explanation`)).summary_text as string | undefined,
  );
  return { job_id: job_id as string, match_id: id };
}

/** Creates a job in which a member was placed 100 days ago, with feedback of both sides on the first stage. */
async function placeMember(stage: Stage) {
  const { admin, member } = stage;
  const placed = await agreeWithMember(stage, 'Palliative care nurse');
  const { match_id } = placed;
  const placed_at = new Date(stage.platform.now().getTime() - 100 * 86_400_000).toISOString();
  await admin.post(`/matches/${match_id}/outcome`, { outcome: 'placed', placed_at });
  const answers = { stage_days: 30, overall_rating: 4, performance: 5, would_repeat: true };
  await member.post(`/matches/${match_id}/feedback`, { ...answers, comment: 'The team is kind.' });
  await admin.post(`/matches/${match_id}/feedback`, { ...answers, belonging: 4 });
  await askForReviews(stage, match_id);
  return placed;
}

/** Asks for a review that is answered, and for one that waits and is overdue. */
async function askForReviews({ admin, member, platform }: Stage, match_id: string): Promise<void> {
  await member.post(`/matches/${match_id}/review`, { reason: 'Did anybody read about my night shifts?' });
  await admin.post(`/matches/${match_id}/review/answer`, {
    outcome: 'changed',
    answer: 'The head of the ward has read your profile again, and would like to talk to you.',
  });
  await member.post(`/matches/${match_id}/review`, {
    reason: 'I have asked for fewer hours. Please see whether the job allows it.',
  });
  await platform.database.run(sql`
    update match_reviews set requested_at = ${shiftTime('requested_at', -20)}, due_at = ${shiftTime('due_at', -20)}
    where match_id = ${match_id} and status = 'open'`);
}

/** Most of the crowd have said something about themselves, for the bias report. */
async function recordIdentities({ database }: Platform, member_ids: readonly string[]): Promise<void> {
  await database.run(sql`
    insert into self_identifications (member_id, genders, age_band, updated_at)
    select id, array_remove((array['woman', 'man', null])[place % 3 + 1 : place % 3 + 1], null), (array['25_to_34', '35_to_44'])[place % 2 + 1], now()
    from unnest(${member_ids}::uuid[]) with ordinality as member (id, place)`);
  await database.run(sql`
    insert into consent_records (id, member_id, consent_type, granted, version, created_at)
    select gen_random_uuid(), id, 'demographic_self_identification', true, '1.0', now() from unnest(${member_ids}::uuid[]) as id`);
}

const crowd_members = 90;

/** Creates a job that suits many people in all tiers, some of them asked and passed. @returns its id. */
async function createCrowd({ platform, admin, waitFor }: Stage) {
  const random = createSeededRandom(11);
  const vectors = Array.from({ length: crowd_members }, () => ({
    mean: Array.from({ length: 20 }, () => drawStandardNormal(random) * 0.9),
    variance: Array.from({ length: 20 }, () => 0.15),
  }));
  const clock = { now: platform.now };
  const ids = await insertMembers(
    { clock, sql: platform.database } as Parameters<typeof insertMembers>[0],
    vectors,
  );
  await recordIdentities(platform, ids);
  const { id } = await admin.post('/orgs/me/jobs', {
    title: 'Night dispatch operator',
    outcome_description:
      'Every call is answered within a minute, and help is on its way before the caller hangs up.',
    trait_priorities: dispatchPriorities,
    constraints: { years_experience_min: 1, education_level_min: 'certificate' },
    salary_min: 71_000,
    salary_max: 84_000,
    salary_currency: 'AUD',
  });
  const data = await waitFor(async () => {
    const page = await admin.get(`/orgs/me/jobs/${id}/matches?limit=100`);
    return page.data.length > 10 ? (page.data as { readonly id: string }[]) : undefined;
  });
  await admin.put(`/matches/${data[1]!.id}/status`, { status: 'org_interested' });
  await admin.put(`/matches/${data[2]!.id}/status`, { status: 'org_passed' });
  await admin.put(`/matches/${data[3]!.id}/note`, {
    note: 'Has led two night teams. Ask about the handover.',
    labels: ['second round', 'can start in May'],
  });
  await waitFor(async () => {
    const table = await admin.get(`/orgs/me/jobs/${id}/table?limit=100`);
    return table.is_being_written ? undefined : table;
  });
  await admin.post('/orgs/me/table-views', { name: 'To call', label: 'second round', sort: 'asked' });
  return {
    crowd_job: id as string,
    crowd: data
      .slice(3, 7)
      .map((match) => match.id)
      .join(','),
  };
}

/** Registers an organisation that has just begun. */
async function registerFounder(url: string): Promise<{ readonly id: string; readonly session: string }> {
  const email = 'ines@river.example';
  const { user } = await createClient(url).post('/auth/register', {
    email,
    password,
    name: 'River Trust',
    role: 'org_admin',
  });
  return { id: user.id as string, session: await fetchRefreshToken(url, { email, password }) };
}

/** Creates the key of an applicant tracking system, which was used, and one by a public key. */
async function createServiceKeys({ admin, platform }: Stage) {
  const public_key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  const permissions = ['GET /orgs/me/jobs'];
  const registered = await admin.post('/orgs/me/service-keys/public', {
    name: 'Reports',
    permissions,
    public_key,
  });
  const { id } = await admin.post('/orgs/me/service-keys', {
    name: 'Applicant tracking system',
    permissions: ['GET /orgs/me/jobs', 'POST /orgs/me/jobs', 'GET /orgs/me/jobs/{job_id}/matches'],
    networks: ['203.0.113.0/24', '2001:db8::/32'],
  });
  await platform.database.run(sql`
    insert into service_key_requests (id, service_key_id, at, method, path, status, code, duration_ms)
    select gen_random_uuid(), ${id as string}, ${platform.now()}::timestamptz - place * interval '7 minutes', method, path, status, code, 3 + place
    from (values ('GET', '/orgs/me/jobs', 200, null, 1), ('POST', '/orgs/me/jobs', 422, 'field_invalid', 2), ('GET', '/orgs/me/jobs/{job_id}/matches', 403, 'network_not_allowed', 3),
      ('DELETE', null, 404, 'route_not_found', 4)) as given (method, path, status, code, place)`);
  return { service_key: id as string, public_key: registered.id as string };
}

/** Follows a board that has two jobs, and one that answers no longer. */
async function followBoard({ platform, admin }: Stage): Promise<void> {
  await serveBoards({ platform }, JSON.stringify(buildLeverBoard()), async () => {
    for (const name of ['harbour-health', 'harbour-health-at-home'])
      await admin.post('/orgs/me/boards', { url: `https://jobs.lever.co/${name}` });
  });
  await platform.database.run(sql`
    update boards set is_active = false, failure_count = 7, last_fault = 'answers with the status 500' where url like '%-at-home'`);
}

/** Sends what a directory sends: two groups, one of them with a colleague and a role. */
async function sendDirectory({ url, admin }: Stage, member_id: string): Promise<void> {
  const permissions = ['SCIM /scim/v2'];
  const { key } = await admin.post('/orgs/me/service-keys', { name: 'Directory', permissions });
  for (const displayName of ['Hiring managers', 'Ward nurses']) {
    const members = displayName === 'Ward nurses' ? [] : [{ value: member_id }];
    const reply = await fetch(`${url}/scim/v2/Groups`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify({ displayName, members }),
    });
    const { id } = (await reply.json()) as { readonly id: string };
    if (members.length > 0) await admin.put(`/orgs/me/directory-groups/${id}/role`, { role: 'org_viewer' });
  }
}

/** Subscribes three servers: one that works, one that fails now, and one that failed too often. @returns ids of what the pages show. */
async function subscribe({ platform, admin }: Stage, org_id: string) {
  const { database } = platform;
  const ids: string[] = [];
  for (const url of ['https://hooks.harbour.example/tessera', 'https://staging.harbour.example:8443/events'])
    ids.push((await admin.post('/webhooks/', { url })).id as string);
  const some = { url: 'https://old.harbour.example/in', events: ['match.accepted', 'match.declined'] };
  const inactive_webhook = (await admin.post('/webhooks/', some)).id as string;
  const [webhook, failing] = ids as [string, string];
  await insertHistory(platform, { org_id, subscription_id: webhook }, 26, 9);
  const webhook_delivery = await insertHistory(platform, { org_id, subscription_id: failing }, 12, 2);
  await insertHistory(platform, { org_id, subscription_id: inactive_webhook }, 10, 1);
  await database.run(
    sql`update webhook_subscriptions set failure_count = 3 where org_id = ${org_id} and id = ${failing}`,
  );
  await database.run(sql`
    update webhook_subscriptions set failure_count = 10, is_active = false where org_id = ${org_id} and id = ${inactive_webhook}`);
  return { webhook, inactive_webhook, failing_webhook: failing, webhook_delivery };
}

/** Inserts deliveries of which each nth has failed. @returns the id of the latest. */
async function insertHistory(
  { database, now }: Platform,
  { org_id, subscription_id }: { readonly org_id: string; readonly subscription_id: string },
  count: number,
  each_nth: number,
): Promise<string> {
  let latest = '';
  for (let number = count; number > 0; number--) {
    const created_at = new Date(now().getTime() - number * 1_700_000);
    const isFailed = number % each_nth === 1 || each_nth === 1;
    const status = isFailed ? 503 : 204;
    const error = isFailed ? 'http_status' : null;
    const attempt = { attempted_at: created_at, response_status: status, duration_ms: 84, error };
    const data = { job_id: randomUUID(), match_id: randomUUID(), match_status: 'member_accepted', org_id };
    const body = JSON.stringify({
      api_version: 'v1',
      created_at,
      data,
      id: randomUUID(),
      type: 'match.accepted',
    });
    latest = randomUUID();
    await database.run(sql`
      insert into webhook_deliveries (org_id, id, subscription_id, event_id, event_type, body, status, attempt, response_status,
        response_excerpt, duration_ms, error, attempts, created_at)
      values (${org_id}, ${latest}, ${subscription_id}, ${randomUUID()}, 'match.accepted', ${body}, ${isFailed ? 'failed' : 'delivered'},
        ${isFailed ? 2 : 1}, ${status}, ${isFailed ? 'The database of this server is being upgraded.' : ''}, 84, ${error},
        ${JSON.stringify(isFailed ? [attempt, attempt] : [attempt])}, ${created_at})`);
  }
  return latest;
}
