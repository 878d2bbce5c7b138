import { beforeAll, describe, expect, it } from 'vitest';
import { accessMatrix } from './access-matrix.ts';
import { castJob, createCast, type CastOrganisation } from './cast.ts';
import { startApp, unknownId, type TestReply } from './harness.ts';
import { createStoredGroup } from './modules/directories.ts';
import { followBoard } from './modules/job-boards.ts';
import { createCredential } from './modules/credentials.ts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { inviteCandidate } from './modules/candidates.ts';
import { achievementDraft } from './modules/offers.ts';
import { sql } from '#platform/database/database.ts';
import { bindWallet } from './modules/payments.ts';
import { recordSoldRead, requestAndSendPayout } from './modules/books.ts';
import { findStoredMatch } from './modules/matching.ts';
import { approveCategory, decideConsent } from './modules/reads.ts';
import { createServiceKey } from './modules/service-keys.ts';
import { createSubscription } from './modules/webhooks.ts';
import { allowAgent } from './modules/grants.ts';
import { addTestPasskey } from './modules/passkeys.ts';
import { proves } from './requirements.ts';
import { formatRowName, listIdFields, sendRow } from './row-requests.ts';
import { createEmail, type TestMember, type TestUser } from './users.ts';
import { apiRows } from './wire-schemas.ts';
import type { Role } from '#lib/caller.ts';
import { listPathFields, type Row } from '#platform/http/row.ts';

/*
 * Every row that is built is in one of four groups:
 * - public: it has no caller, so no object belongs to another tenant;
 * - it has id fields: each of them is tried with another tenant's objects, or listed here with a reason;
 * - it reads without id fields: its reply must not mention another tenant, and its list must refuse another reader's cursor;
 * - it writes without id fields: it names no object, and so can only change what is the caller's own.
 */
const operatorKeys =
  'The operator’s keys belong to no tenant: the tests of these rows try the key of an organisation.';

/** Id fields that are not tried with another tenant's object, with the reason. */
const untriedIds: Readonly<Record<string, string>> = {
  'POST /orgs/me/jobs/{job_id}/decisions: match_ids':
    'The reply names each match: decide-matches.test.ts tries those of others.',
  'POST /orgs/me/jobs/{job_id}/decisions/{decision_id}/undo: decision_id':
    'A decision is found by its job: undo-decision.test.ts tries that of others.',
  'GET /operator/users: org_id': 'Every account and every organisation is open to a platform administrator.',
  'GET /operator/users/{user_id}: user_id': 'Every account is open to a platform administrator.',
  'POST /operator/users/{user_id}/suspend: user_id': 'Every account is open to a platform administrator.',
  'POST /operator/users/{user_id}/resume: user_id': 'Every account is open to a platform administrator.',
  'POST /operator/users/{user_id}/reset-mfa: user_id': 'Every account is open to a platform administrator.',
  'GET /operator/organisations: id': 'Every organisation is open to a platform administrator.',
  'GET /operator/organisations/{org_id}: org_id': 'Every organisation is open to a platform administrator.',
  'PATCH /operator/organisations/{org_id}: org_id': 'Every organisation is open to a platform administrator.',
  'POST /operator/organisations/{org_id}/suspend: org_id':
    'Every organisation is open to a platform administrator.',
  'POST /operator/organisations/{org_id}/resume: org_id':
    'Every organisation is open to a platform administrator.',
  'POST /operator/organisations/{org_id}/domains/{domain}/verify: org_id':
    'Every organisation is open to a platform administrator.',
  'POST /operator/queue/failures/{failure_id}/retry: failure_id': 'A failed task belongs to no tenant.',
  'POST /operator/top-ups: org_id': 'Every organisation is open to a platform administrator.',
  'PUT /operator/service-keys/{service_key_id}/public-key: service_key_id': operatorKeys,
  'POST /operator/service-keys/{service_key_id}/rotate: service_key_id': operatorKeys,
  'DELETE /operator/service-keys/{service_key_id}: service_key_id': operatorKeys,
  'GET /operator/service-keys/{service_key_id}/requests: service_key_id': operatorKeys,
  'POST /operator/item-findings/{finding_id}/decide: finding_id': 'A finding belongs to no tenant.',
  'POST /operator/item-findings/{finding_id}/undo: finding_id': 'A finding belongs to no tenant.',
};

/** Rows where a platform administrator may name any object. */
const openToPlatformAdmin: ReadonlySet<string> = new Set([
  'PUT /matches/{match_id}/status',
  'POST /matches/{match_id}/outcome',
  'GET /matches/{match_id}/outcomes',
  'GET /matches/{match_id}/feedback',
  'GET /matches/{match_id}/reviews',
]);

/** Lists that are the same for everybody, so that neither a row nor a cursor belongs to anyone. */
const sharedLists: ReadonlySet<string> = new Set([
  'GET /job-templates',
  // All platform administrators see all of them.
  'GET /operator/users',
  'GET /operator/organisations',
  'GET /operator/queue/failures',
  'GET /operator/service-keys',
  'GET /operator/item-findings',
  'GET /operator/reviews',
]);

type Ids = Readonly<Record<string, readonly string[]>>;

/** A caller, the objects of other tenants by the field that names them, and words that no reply without ids may show the caller. */
type Stranger = { readonly user: TestUser; readonly ids: Ids; readonly words: readonly string[] };

const strangerNames = ['admin', 'viewer', 'auditor', 'deployed', 'newcomer', 'platformAdmin'] as const;
type StrangerName = (typeof strangerNames)[number];

const roleOfStranger: Readonly<Record<StrangerName, Role>> = {
  admin: 'org_admin',
  viewer: 'org_viewer',
  auditor: 'auditor',
  deployed: 'member',
  newcomer: 'member',
  platformAdmin: 'platform_admin',
};

const protectedRows = apiRows.filter(({ access }) => access !== 'public');

/** A subscription with deliveries, by organisation. */
const storedGroups = new Map<string, string>();
const boards = new Map<string, Awaited<ReturnType<typeof followBoard>>>();
const webhooks = new Map<string, { readonly subscription_id: string; readonly delivery_id: string }>();

/** A service key of an organisation. */
const serviceKeys = new Map<string, string>();

/** A saved view of an organisation. */
const views = new Map<string, string>();

/** An achievement and an offer of an organisation, and an offer to a member. */
const achievements = new Map<string, string>();
const offers = new Map<string, string>();

/** An invitation by an organisation, or to a member, to a job of the organisation. */
const invitations = new Map<string, string>();

/** The last purchase of an organisation, or from a member. */
const purchases = new Map<string, { readonly transaction_id: string; readonly alias: string }>();
let strangers: Readonly<Record<StrangerName, Stranger>>;

const app = await startApp();
const cast = await createCast(app);
beforeAll(async () => {
  const second = { id: 'second', name: 'Second', redirect_host: 'second.example' };
  await allowAgent(app, cast.ours.admin);
  await allowAgent(app, cast.ours.admin, { client: second });
  strangers = await describeStrangers();
});

describe('another tenant’s object gets the reply of an object that does not exist:', () => {
  const cases = protectedRows.flatMap((row) =>
    listIdFields(row).flatMap((field) =>
      listAdmitted(row)
        .filter((name) => name !== 'platformAdmin' || !openToPlatformAdmin.has(formatRowName(row)))
        .map((name) => [formatRowName(row), field, name, row] as const),
    ),
  );

  it.each(cases)('%s, %s, asked by %s', async (_, field, name, row) => {
    proves('error-not-a-party-refused', 'match-get-only-own-member-or-organisation');
    const { user, ids } = strangers[name];
    const absent = await sendRow(app, row, { [field]: unknownId }, user.token);
    expect(absent).toSatisfy((reply: TestReply) => isExpected(row, field, reply));
    for (const id of ids[field] ?? []) {
      const foreign = await sendRow(app, row, { [field]: id }, user.token);
      expect(omitRequestFacts(foreign)).toEqual(omitRequestFacts(absent));
      expect(Object.keys(foreign.headers)).toEqual(Object.keys(absent.headers));
    }
  });

  it('every id field of a row is tried, or has a reason why not', () => {
    const fields = protectedRows.flatMap((row) => listIdFields(row).map((field) => ({ row, field })));
    const untried = fields
      .filter(({ row, field }) => listAdmitted(row).every((name) => !strangers[name].ids[field]?.length))
      .map(({ row, field }) => `${formatRowName(row)}: ${field}`);
    expect(untried).toEqual(Object.keys(untriedIds));
  });
});

describe('a reply that names no object shows nothing of another tenant:', () => {
  const rows = protectedRows.filter(
    ({ method, path }) => method === 'GET' && listPathFields(path).length === 0,
  );
  const withRows = new Set<string>();

  it.each(rows.map((row) => [formatRowName(row), row] as const))('%s', async (name, row) => {
    for (const stranger of listAdmitted(row)) {
      const { user, words } = strangers[stranger];
      const { status, body } = await sendRow(app, row, {}, user.token);
      expect(status).toBeLessThan(500);
      if (body.data?.length > 0) withRows.add(name);
      const text = JSON.stringify(body);
      expect([stranger, words.filter((word) => text.includes(word))]).toEqual([stranger, []]);
    }
  });

  it('(and the lists are not empty)', () => {
    const lists = rows.filter(hasPages).map(formatRowName);
    expect(lists.filter((name) => !withRows.has(name) && !sharedLists.has(name))).toEqual([]);
  });
});

describe('a list has rows of its reader only, and refuses the cursor of another reader’s list:', () => {
  const lists = protectedRows.filter((row) => hasPages(row) && !sharedLists.has(formatRowName(row)));

  it.each(lists.map((row) => [formatRowName(row), row] as const))('%s', async (_, row) => {
    const isOfOrganisation = accessMatrix[formatRowName(row)]!.includes('org_admin');
    const { ours, theirs, deployed, neighbour } = cast;
    const [reader, other] = isOfOrganisation ? [ours.admin, theirs.admin] : [deployed, neighbour];
    const own = isOfOrganisation ? readListIds(ours) : { member_id: deployed.member_id };
    const foreign = isOfOrganisation ? readListIds(theirs) : { member_id: neighbour.member_id };
    const selectPathIds = (ids: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(ids).filter(([name]) => listPathFields(row.path).includes(name)));
    const read = (user: TestUser, ids: object, query: object) =>
      sendRow(app, row, { ...selectPathIds(ids as Record<string, string>), ...query }, user.token);
    // A version of a result has no id.
    const listIds = ({ body }: TestReply): readonly string[] =>
      body.data.map((entry: { id?: string }) => entry.id ?? JSON.stringify(entry));

    const whole = listIds(await read(reader, own, { limit: '100' }));
    const others = new Set(listIds(await read(other, foreign, { limit: '100' })));
    expect(whole.filter((id) => others.has(id))).toEqual([]);
    const { next_cursor } = (await read(reader, own, { limit: '1' })).body.pagination;
    expect(next_cursor).toEqual(expect.any(String));
    const refused = await read(other, foreign, { cursor: next_cursor });
    expect([refused.status, refused.body.code]).toEqual([400, 'cursor_invalid']);
  });
});

/** The ids that the lists of an organisation need. */
function readListIds({ org_id, job_id }: CastOrganisation) {
  return { job_id, subscription_id: webhooks.get(org_id)!.subscription_id };
}

function listAdmitted(row: Row): readonly StrangerName[] {
  const access = accessMatrix[formatRowName(row)]!;
  return strangerNames.filter((name) => access.includes(roleOfStranger[name]));
}

function hasPages({ operation }: Row): boolean {
  return 'cursor' in operation.input.properties;
}

/** An unknown object in a path is not found. In a query or body it may also be refused, or match nothing as a filter. */
function isExpected(row: Row, field: string, { status, body }: TestReply): boolean {
  if (listPathFields(row.path).includes(field)) return status === 404;
  return [403, 404].includes(status) || (status === 200 && body.data?.length === 0);
}

function omitRequestFacts({ status, body }: TestReply) {
  const { request_id: _request, instance: _instance, ...content } = body;
  return { status, content };
}

async function saveView({ admin, org_id }: CastOrganisation): Promise<string> {
  const body = { name: `View of ${org_id}` };
  return (await app.request('POST', '/orgs/me/table-views', { token: admin.token, body })).body.id;
}

async function describeStrangers(): Promise<Readonly<Record<StrangerName, Stranger>>> {
  const { ours, newcomer, deployed, neighbour, platformAdmin } = cast;
  // A second one for each reader, so that every list has a second page.
  for (const { admin } of [ours, cast.theirs])
    await app.request('POST', '/orgs/me/jobs', { token: admin.token, body: castJob });
  for (const organisation of [ours, cast.theirs]) {
    await createConnections(organisation);
    await createReferences(organisation);
    views.set(organisation.org_id, await saveView(organisation));
    for (let count = 0; count < 2; count++)
      serviceKeys.set(organisation.org_id, (await createServiceKey(app, organisation.admin.token)).id);
  }
  for (const { email, password } of [ours.admin, deployed])
    await app.request('POST', '/auth/login', { body: { email, password } });
  await createCredential(app, deployed.token);
  await createCredential(app, deployed.token);
  await createPayouts(deployed);
  await createPayouts(neighbour);
  await createPurchases(ours, deployed);
  await createPurchases(cast.theirs, neighbour);
  await createOffers(ours, deployed);
  await createOffers(cast.theirs, neighbour);
  await createInvitations(ours, deployed);
  await createInvitations(cast.theirs, neighbour);
  await createReviews(ours, deployed);
  await createReviews(cast.theirs, neighbour);
  const { id: credential_id } = await createCredential(app, neighbour.token);
  const ofNeighbour = await readMemberObjects(neighbour, credential_id);
  const ofDeployed = await readMemberObjects(deployed, undefined);
  const ofTheirs = await readOrganisationObjects(cast.theirs);
  const ofOurAdmin = { task_id: [ours.task_id] };
  const describe = (user: TestUser, ...foreign: readonly Foreign[]): Stranger => ({
    user,
    ids: mergeIds(foreign.map(({ ids }) => ids)),
    words: foreign.flatMap(({ words }) => words),
  });
  return {
    admin: describe(ours.admin, ofTheirs),
    viewer: describe(ours.viewer, ofTheirs, { ids: ofOurAdmin, words: [] }),
    auditor: describe(ours.auditor, ofTheirs, { ids: ofOurAdmin, words: [] }),
    deployed: describe(deployed, ofNeighbour, { ids: ofOurAdmin, words: [ours.task_id] }),
    newcomer: describe(newcomer, ofNeighbour, ofDeployed, { ids: ofOurAdmin, words: [ours.task_id] }),
    // Every member, organisation and credential is open to a platform administrator; matches, tasks, sessions and passkeys are not.
    platformAdmin: describe(platformAdmin, {
      ids: {
        match_id: ofNeighbour.ids['match_id']!,
        task_id: [ours.task_id],
        session_id: ofTheirs.ids['session_id']!,
        passkey_id: ofTheirs.ids['passkey_id']!,
        grant_id: ofTheirs.ids['grant_id']!,
      },
      words: [],
    }),
  };
}

/** Two boards, groups and subscriptions of an organisation, and two deliveries of the second subscription, which are never sent. */
async function createConnections({ org_id, admin: { token } }: CastOrganisation): Promise<void> {
  await followBoard(app, token, 'first');
  boards.set(org_id, await followBoard(app, token, 'second'));
  await app.sql.run(sql`update organisations set tier = 'E3 Operator' where id = ${org_id}`);
  await createStoredGroup(app, org_id);
  storedGroups.set(org_id, await createStoredGroup(app, org_id));
  await createSubscription(app, token, { url: 'https://hooks.example.org/one' });
  const { id } = await createSubscription(app, token, { url: 'https://hooks.example.org/two' });
  const sendTest = () => app.request('POST', `/webhooks/${id}/test`, { token, body: {} });
  await sendTest();
  webhooks.set(org_id, { subscription_id: id, delivery_id: (await sendTest()).body.id });
}

/** What a program of an organisation notes on two matches of its job. */
async function createReferences(organisation: CastOrganisation): Promise<void> {
  for (const member of [cast.deployed, cast.neighbour]) {
    const match_id = await cast.readMatchId(member, organisation);
    const { token } = organisation.admin;
    const body = { external_ref: `candidate of ${organisation.org_id}` };
    const noted = await app.request('PUT', `/matches/${match_id}/reference`, { token, body });
    expect(noted.status).toBe(200);
  }
}

/** Two achievements of an organisation, and two offers to a member. */
async function createOffers({ org_id, admin }: CastOrganisation, { member_id }: TestMember): Promise<void> {
  for (const name of ['One', 'Two']) {
    const body = { ...achievementDraft, name };
    const created = await app.request('POST', '/orgs/me/achievements', { token: admin.token, body });
    achievements.set(org_id, created.body.id);
    const offer = await app.sql.one(sql<{ id: string }>`
      insert into credential_offers (id, member_id, org_id, credential_type, attestation_tier, about, claims, expiry_days, state, opens_at,
        closes_at, created_at)
      values (gen_random_uuid(), ${member_id}, ${org_id}, 'org_validation', 'org_validated', ${name}, '{"statement": "Fine."}', 365, 'open',
        ${app.clock.now()}, ${new Date(app.clock.now().getTime() + 86_400_000)}, ${app.clock.now()})
      returning id`);
    for (const owner of [org_id, member_id]) offers.set(owner, offer.id);
  }
}

/** Two invitations of a member and one of a stranger, so that the lists of both sides have a second page. */
async function createInvitations(
  { org_id, job_id, admin }: CastOrganisation,
  { email, member_id }: TestMember,
): Promise<void> {
  const { token } = admin;
  const { body: other } = await app.request('POST', '/orgs/me/jobs', { token, body: castJob });
  const invite = (job: string, to: string) => inviteCandidate(app, { token, job_id: job }, { email: to });
  await invite(other.id, email);
  await invite(job_id, createEmail());
  const { body } = await invite(job_id, email);
  for (const owner of [org_id, member_id]) invitations.set(owner, body.id);
}

/** Two requests of a member for a human review by an organisation, of which the first is withdrawn. */
async function createReviews({ job_id }: CastOrganisation, { member_id, token }: TestMember): Promise<void> {
  const { id } = await findStoredMatch(app, job_id, member_id);
  for (const path of ['review', 'review/withdraw', 'review'])
    await app.request('POST', `/matches/${id}/${path}`, { token, body: {} });
}

/** Two purchases of an organisation from a member, and a transaction that the member has recorded. */
async function createPurchases(
  { org_id, admin, job_id }: CastOrganisation,
  member: TestMember,
): Promise<void> {
  await decideConsent(app, member, 'identity_queries', true);
  await approveCategory(app, member, 'archetype');
  const match_id = (await findStoredMatch(app, job_id, member.member_id)).id;
  const { body: match } = await app.request('GET', `/matches/${match_id}`, { token: admin.token });
  for (const price_aud of [1, 2]) {
    const { body } = await app.request('POST', '/marketplace/transactions', {
      token: admin.token,
      body: { member_id: match.member_id, org_id, data_type: 'archetype', price_aud },
    });
    purchases.set(member.member_id, { transaction_id: body.id, alias: match.member_id });
  }
  const { body: proposed } = await app.request('POST', '/marketplace/transactions', {
    token: member.token,
    body: { member_id: member.member_id, org_id, data_type: 'archetype', price_aud: 3 },
  });
  purchases.set(org_id, { transaction_id: proposed.id, alias: match.member_id });
}

/** Two reads by an organisation of nobody, and two payouts of their income. */
async function createPayouts({ member_id, token }: TestMember): Promise<void> {
  for (const amount of [1, 2]) {
    await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0 });
    await requestAndSendPayout(app, token, amount);
  }
}

type Foreign = { readonly ids: Ids; readonly words: readonly string[] };

async function readMemberObjects(member: TestMember, credential_id: string | undefined): Promise<Foreign> {
  const ids = {
    member_id: [member.member_id],
    match_id: [await cast.readMatchId(member, cast.ours), await cast.readMatchId(member, cast.theirs)],
    credential_id: credential_id === undefined ? [] : [credential_id],
    offer_id: [offers.get(member.member_id)!],
    invitation_id: [invitations.get(member.member_id)!],
    transaction_id: [purchases.get(member.member_id)!.transaction_id],
    read_id: await readIds(member, '/orgs/queries/earnings/history'),
    payout_id: await readIds(member, '/members/me/payouts'),
    session_id: [await readSessionId(member)],
    passkey_id: [(await addTestPasskey(app, member)).id],
    grant_id: [await allowAgent(app, member)],
    actor_user_id: [member.user_id],
  };
  return { ids, words: [member.email, ...Object.values(ids).flat()] };
}

async function readOrganisationObjects(organisation: CastOrganisation): Promise<Foreign> {
  const { org_id, job_id, task_id, admin, viewer, auditor } = organisation;
  const users = [admin, viewer, auditor];
  const user_ids = users.map(({ user_id }) => user_id);
  const { deployed, neighbour } = cast;
  const ids = {
    org_id: [org_id],
    job_id: [job_id],
    task_id: [task_id],
    match_id: [
      await cast.readMatchId(deployed, organisation),
      await cast.readMatchId(neighbour, organisation),
    ],
    user_id: user_ids,
    actor_user_id: user_ids,
    session_id: [await readSessionId(admin)],
    service_key_id: [serviceKeys.get(org_id)!],
    view_id: [views.get(org_id)!],
    achievement_id: [achievements.get(org_id)!],
    offer_id: [offers.get(org_id)!],
    invitation_id: [invitations.get(org_id)!],
    subscription_id: [webhooks.get(org_id)!.subscription_id],
    delivery_id: [webhooks.get(org_id)!.delivery_id],
    board_id: [boards.get(org_id)!.board_id],
    change_id: [boards.get(org_id)!.change_id],
    group_id: [storedGroups.get(org_id)!],
    member_id: [purchases.get(org_id)!.alias],
    transaction_id: [purchases.get(org_id)!.transaction_id],
    read_id: await readIds(admin, '/orgs/queries/reads'),
    wallet_id: [await bindWallet(app, admin.token, privateKeyToAccount(generatePrivateKey()))],
    passkey_id: [(await addTestPasskey(app, admin)).id],
    grant_id: [await allowAgent(app, admin)],
  };
  return { ids, words: [...users.map(({ email }) => email), ...Object.values(ids).flat()] };
}

/** The ids of the entries of a list. */
async function readIds({ token }: TestUser, path: string): Promise<readonly string[]> {
  return (await app.request('GET', path, { token })).body.data.map(({ id }: { id: string }) => id);
}

async function readSessionId({ token }: TestUser): Promise<string> {
  return (await app.request('GET', '/auth/sessions', { token })).body.data[0].id;
}

function mergeIds(all: readonly Ids[]): Ids {
  const names = new Set(all.flatMap((ids) => Object.keys(ids)));
  return Object.fromEntries([...names].map((name) => [name, all.flatMap((ids) => ids[name] ?? [])]));
}
