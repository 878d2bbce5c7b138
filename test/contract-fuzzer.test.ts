import { randomUUID } from 'node:crypto';
import { findStoredMatch, forceMatchStatus } from './modules/matching.ts';
import { createCandidateInvitation, inviteCandidate, readInvitationToken } from './modules/candidates.ts';
import { achievementDraft, proveDomain } from './modules/offers.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIdpMetadata, buildResponseXml, domain as ssoDomain } from '@tessera/saml/testing';
import { additionalRows, specifiedRows } from '../src/tables/api.ts';
import { apiTexts } from '../src/tables/fields.ts';
import { computeTotpCode, enableMfa, requestTicket } from './modules/auth.ts';
import { answerForScience, requestRetest, startVolunteer } from './modules/volunteers.ts';
import { answerMirror, requestLink } from './modules/first-mirror.ts';
import { requestAccountLink } from './modules/registrations.ts';
import { computePoints, computeScores } from '../src/modules/organisations/culture/score.ts';
import { buildAnswers } from './modules/culture.ts';
import { createInvitation, readMailedToken } from './modules/org-users.ts';
import { allowAgent } from './modules/grants.ts';
import { addTestPasskey, createAuthenticator, requestOptions } from './modules/passkeys.ts';
import { createStub } from './modules/stubs.ts';
import { clearFindings, insertFinding } from './modules/findings.ts';
import { failNotice } from './modules/queue.ts';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { bindWallet } from './modules/payments.ts';
import { recordSoldRead, requestAndSendPayout, sample_destination } from './modules/books.ts';
import { loadPopulation } from '../src/demo/load-population.ts';
import {
  buildAuthorizeUrl,
  createBrowser,
  createChallenge,
  registerClient,
  startInteraction,
} from './modules/oauth.ts';
import { createStoredGroup } from './modules/directories.ts';
import { buildJobPage, followBoard } from './modules/job-boards.ts';
import { configureOpenid, createOfflineProvider } from './modules/openid.ts';
import { generateSigningKey, registerProgram } from './modules/assertions.ts';
import { createOperatorKey, createServiceKey } from './modules/service-keys.ts';
import { endWaits } from '#modules/operations/webhooks';
import { createSubscription, openStream } from './modules/webhooks.ts';
import { createCredential, readPayload, type IssuedCredential } from './modules/credentials.ts';
import {
  buildConfigurationBody,
  completeSsoLogin,
  createSsoOrganisation,
  postResponse,
} from './modules/sso.ts';
import type { Role } from '#lib/caller.ts';
import { claimDomains, setTier } from '#modules/organisations/orgs';
import { paymentProblem } from '#modules/income/payments';
import { itemBank } from '#modules/measurement/traits';
import { sql } from '#platform/database/database.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { OutboundError, type OutboundRequest } from '#platform/outbound/outbound.ts';
import { createColleague } from './colleague.ts';
import { castJob, createCast } from './cast.ts';
import { listOperations, type ApiDocument, type ApiOperation } from './fuzzer/document.ts';
import { fuzzOperation } from './fuzzer/fuzz.ts';
import type { Caller, Callers, FuzzedRequest } from './fuzzer/requests.ts';
import type { Dictionary } from './fuzzer/values.ts';
import { processor_ms_max, type RawReply } from './fuzzer/judge.ts';
import { unknownId, startApp, type TestReply } from './harness.ts';
import { formatRowName } from './row-requests.ts';
import { filledProfile, password, createEmail } from './users.ts';
import { proves } from './requirements.ts';
import { listGradedItems } from './modules/items.ts';

/** Another seed and more requests by the environment: `TESSERA_FUZZ_SEED=7 TESSERA_FUZZ_RUNS=2000 npx vitest run test/contract-fuzzer.test.ts`. */
const seed = Number(process.env['TESSERA_FUZZ_SEED'] ?? 20_260_302);
const runs = Number(process.env['TESSERA_FUZZ_RUNS'] ?? 60);

const publicUrl = 'http://localhost:8420';
const rows = [...specifiedRows, ...additionalRows];
const whoOf = new Map(
  rows.flatMap(({ operation }) => (operation ? [[operation.name, operation.who] as const] : [])),
);
const operations = listOperations(
  buildOpenApiDocument(rows, publicUrl, { texts: apiTexts, problem: paymentProblem }) as ApiDocument,
);
const visited = new Set(rows.flatMap(({ operation, options }) => (options.visited ? [operation.name] : [])));
// Logging out ends the session that the other operations need.
const ordered = operations
  .toSorted((one, other) => Number(one.id === 'accounts.logOut') - Number(other.id === 'accounts.logOut'))
  .map((operation) => ({ ...operation, ignoresUnknown: visited.has(operation.id) }));

type FormRequests = {
  readonly sendGood: () => Promise<TestReply>;
  readonly sendBad: () => Promise<TestReply>;
  /** Bad forms of the greatest accepted length, which a slow regular expression would read for seconds. */
  readonly sendLong: () => Promise<readonly (() => Promise<TestReply>)[]>;
};

/** The rows that take a form, which the fuzzer does not send. Their own tests try more. */
const formRequests: Readonly<Record<string, FormRequests>> = {
  'POST /auth/sso/{org_id}/acs': {
    sendGood: async () => completeSsoLogin(app, await createSsoOrganisation(app)),
    sendBad: async () => postResponse(app, await createSsoOrganisation(app), { raw: 'not base64' }),
    sendLong: async () => {
      const organisation = await createSsoOrganisation(app);
      const raws = ['\n', '=', 'A'].map((each) => ({ raw: `A${each.repeat(199_990)}!` }));
      const issuers = [' ', '\n', '&#32;'].map(
        (each) => `a${each.repeat(Math.floor(120_000 / each.length))}a`,
      );
      const xmls = issuers.map((response_issuer) =>
        buildResponseXml(organisation, app.clock.now(), { response_issuer }),
      );
      return [...raws, ...xmls].map((xml) => () => postResponse(app, organisation, xml));
    },
  },
};

/** Operations of which few random inputs are good: of two fields, exactly one may be there. */
const more_runs: Readonly<Record<string, number>> = { 'offers.offerCredential': 10 };

/** Rows that only a sandbox has. Their own tests show what they do there. */
const of_sandboxes: ReadonlySet<string> = new Set([
  'sandbox.readSandbox',
  'sandbox.advanceClock',
  'sandbox.startYear',
  'sandbox.cancelYear',
]);

let sent = 0;
const statuses = new Map<number, number>();

const app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
const cast = await createCast(app);
// The fuzzer would wait for events that nobody sends.
endWaits(app.platform);
/** A page with a job, of another server. */
const fuzzed_page = {
  url: 'https://careers.example/nurse',
  answer: { status: 200, headers: {}, body: Buffer.from(buildJobPage()) },
};
// The fuzzer invents addresses; no request may leave the test.
const provider = await createOfflineProvider();
Object.assign(app.platform, {
  fetchOutbound: async (url: string, request: OutboundRequest) => {
    const answer = url === fuzzed_page.url ? fuzzed_page.answer : await provider.answer(url, request);
    if (!answer) throw new OutboundError('unresolvable');
    return answer;
  },
});

afterAll(() => {
  const shares = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `contract fuzzer: seed ${seed}, ${sent} requests to ${operations.length} operations, ${shares.join(', ')}\n`,
  );
});

it('reads the document that the service publishes', async () => {
  const { body } = await app.request('GET', '//openapi.json');
  expect(listOperations(body)).toEqual(operations);
});

it('sends requests to every row but those that take a form', () => {
  const others = rows.filter(({ options }) => options.from !== 'form');
  expect(operations.map(({ id }) => id)).toHaveLength(others.length);
  expect(Object.keys(formRequests)).toEqual(
    rows.filter((row) => !others.includes(row)).map((row) => formatRowName(row)),
  );
});

describe(`with seed ${seed}, every reply is as documented, good input succeeds and bad input is refused, by`, () => {
  it.each(ordered.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_, operation) => {
      proves('surface-json-bodies');
      await restoreCast();
      const tally = await fuzzOperation(operation, {
        callers: await createCallers(operation),
        dictionary: await createDictionary(operation),
        send,
        seed,
        runs: runs * (more_runs[operation.id] ?? 1),
      });
      for (const [status, count] of tally) statuses.set(status, (statuses.get(status) ?? 0) + count);
      // The judge allows success for good input only. Both must happen, or half of the operation is untested.
      const succeeded = [...tally.keys()].some((status) => status < 400);
      const refusedInput = tally.has(400) || tally.has(422);
      expect({ succeeded, refusedInput }).toEqual({
        succeeded: !of_sandboxes.has(operation.id),
        refusedInput: true,
      });
    },
  );
});

it.each(Object.entries(formRequests))('%s accepts a good form and refuses a bad one', async (_, requests) => {
  expect((await requests.sendGood()).status).toBeLessThan(400);
  expect([400, 422]).toContain((await requests.sendBad()).status);
});

it.each(Object.entries(formRequests))('%s refuses a long bad form in bounded time', async (_, requests) => {
  for (const send of await requests.sendLong()) {
    const started = process.threadCpuUsage();
    expect((await send()).status).toBeGreaterThanOrEqual(400);
    expect(readProcessorTime(started)).toBeLessThan(processor_ms_max);
  }
});

it('has sent at least 2,000 requests', () => {
  expect(sent).toBeGreaterThanOrEqual(2_000);
});

async function send({ method, url, headers, body }: FuzzedRequest): Promise<RawReply> {
  sent++;
  // Processor time of this thread, because other processes may share the machine.
  const started = process.threadCpuUsage();
  const response = await app.server.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  const processor_ms = readProcessorTime(started);
  return { status: response.statusCode, headers: response.headers, text: response.payload, processor_ms };
}

function readProcessorTime(started: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(started);
  return Math.round((user + system) / 1_000);
}

/** Restores consents, profile, preferences and match states that the fuzzer has changed. */
async function restoreCast(): Promise<void> {
  const { token } = cast.deployed;
  for (const consent_type of ['assessment_data', 'matching'])
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type, granted: true, version: '1.0' },
    });
  await app.request('PUT', '/members/me/profile', { token, body: filledProfile });
  await app.request('PUT', '/members/me/matching-preferences', { token, body: {} });
  await app.sql.run(
    sql`update matches set match_status = 'pending_review', decision_id = null, proposals = 0 where job_id = ${cast.ours.job_id}`,
  );
  for (const table of [sql`match_outcomes`, sql`match_feedback`, sql`feedback_stages`, sql`match_reviews`])
    await app.sql.run(sql`delete from ${table} where job_id = ${cast.ours.job_id}`);
  // Each operation may create as many as are allowed.
  for (const table of [sql`service_keys`, sql`webhook_deliveries`, sql`webhook_subscriptions`])
    await app.sql.run(sql`delete from ${table} where org_id = ${cast.ours.org_id}`);
}

async function createCallers(operation: ApiOperation): Promise<Callers> {
  const { ours, platformAdmin } = cast;
  // A deleted account cannot call the other operations.
  const endsAccount = ['rights.deleteAccount', 'rights.withdrawAllConsent'].includes(operation.id);
  const { newcomer, deployed } = endsAccount
    ? { newcomer: await app.registerMember(), deployed: await app.registerMember() }
    : cast;
  const who = whoOf.get(operation.id) ?? 'anyone';
  const createCaller = (role: Role, { token }: { readonly token: string }): Caller => ({
    authorization: `Bearer ${token}`,
    known: true,
    weight: who !== 'anyone' && who.includes(role) ? Math.ceil(24 / who.length) : 2,
  });
  return {
    anonymous: { known: false, weight: who === 'anyone' ? 24 : 2 },
    deployed: createCaller('member', deployed),
    newcomer: createCaller('member', newcomer),
    org_admin: createCaller('org_admin', ours.admin),
    org_viewer: createCaller('org_viewer', ours.viewer),
    auditor: createCaller('auditor', ours.auditor),
    platform_admin: createCaller('platform_admin', platformAdmin),
    ...Object.fromEntries(
      buildInvalidHeaders(deployed.token).map((authorization) => [
        authorization,
        { authorization, known: false, weight: 1 },
      ]),
    ),
  };
}

/** Headers that resemble a token and must be refused. */
function buildInvalidHeaders(token: string): readonly string[] {
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
  const admin = Buffer.from('{"role":"platform_admin"}').toString('base64url');
  return [
    'Bearer',
    'Bearer x',
    `Bearer ${'x'.repeat(9_000)}`,
    'Basic bWVtYmVyOng=',
    token,
    `Bearer ${none}.${claims}.`,
    `Bearer ${head}.${claims}.${signature.slice(0, -6)}AAAAAA`,
    `Bearer ${head}.${admin}.${signature}`,
    `Bearer ${token}, Bearer ${token}`,
  ];
}

async function createDictionary(operation: ApiOperation): Promise<Dictionary> {
  const { ours, theirs, deployed, neighbour } = cast;
  const matches = await Promise.all([cast.readMatchId(deployed, ours), cast.readMatchId(neighbour, theirs)]);
  return {
    job_id: [ours.job_id, theirs.job_id, unknownId],
    match_id: [...matches, unknownId],
    task_id: [ours.task_id, theirs.task_id, unknownId],
    member_id: [deployed.member_id, neighbour.member_id, unknownId],
    email: [
      deployed.email,
      ours.admin.email,
      deployed.email.toUpperCase(),
      ...Array.from({ length: 8 }, () => createEmail()),
    ],
    password: [password, 'Wrong-Horse-7-Battery', 'password', 'x'.repeat(256)],
    trait_priorities: [
      { persistence: 1 },
      { persistence: 0.1, discretion: 1 },
      { persistence: 0 },
      {},
      { unheard_of: 1 },
    ],
    answers: [buildAnswers(0), buildAnswers(4, ['hierarchy', 'market', 'adhocracy', 'clan'])],
    query: ['nurse', '"night nurse" OR -x', 'a'],
    ...(operation.path.includes('/credentials/') && (await createCredentialWords())),
    ...(operation.path.includes('{subscription_id}') && (await createWebhookIds())),
    ...(operation.path.includes('/exports/org/') && { org_id: [ours.org_id, theirs.org_id] }),
    ...(operation.path.includes('{passkey_id}') && (await createPasskeyIds())),
    ...(operation.path.includes('{grant_id}') && (await createGrantIds())),
    ...(await prepare[operation.id]?.()),
  };
}

const readableTypes = ['archetype', 'trait_profile', 'values_profile'] as const;

/** The id of a stub that every organisation may read, and the organisation of the cast. */
async function createReadableIds(): Promise<Dictionary> {
  const { body } = await createStub(app, { categories: readableTypes });
  return {
    member_id: [body.member_id],
    org_id: [cast.ours.org_id],
    data_type: [...readableTypes],
    price_aud: [0.5, 2],
  };
}

/** Completes a test without any time, which would end the recent authentication of the cast. */
async function completeTest(): Promise<string> {
  return (await answerForScience(app, await startVolunteer(app), Infinity, undefined, 0)).code;
}

async function createFinding(): Promise<string> {
  await clearFindings(app);
  return insertFinding(app);
}

async function createDecision(): Promise<string> {
  const finding_id = await createFinding();
  const { token } = cast.platformAdmin;
  await app.request('POST', `/operator/item-findings/${finding_id}/decide`, {
    token,
    body: { decision: 'dismiss' },
  });
  return finding_id;
}

async function createClaimCode(): Promise<string> {
  return (await createStub(app)).body.claim_code;
}

async function createTransaction(): Promise<string> {
  const { body: stub } = await createStub(app);
  const { org_id, admin } = cast.ours;
  const { body } = await app.request('POST', '/marketplace/transactions', {
    token: admin.token,
    body: { member_id: stub.member_id, org_id, data_type: 'archetype', price_aud: 1 },
  });
  return body.id;
}

/** Transactions that the member of the cast has recorded, of every type, so that each party finds pending ones. */
async function createProposals(): Promise<Dictionary> {
  const { member_id } = cast.deployed;
  await app.sql.run(sql`delete from read_proposals where member_id = ${member_id}`);
  const now = app.clock.now();
  const rows = await app.sql.list(sql<{ id: string }>`
    insert into read_proposals (id, member_id, org_id, known_as, data_type, price_aud_micros, status, created_at, expires_at)
    select gen_random_uuid(), ${member_id}, ${cast.ours.org_id}, gen_random_uuid(), data_type, 400000, 'pending', ${now}::timestamptz,
      ${new Date(now.getTime() + 86_400_000)}::timestamptz from unnest(array['archetype', 'trait_profile', 'values_profile', 'alignment']) as data_type
    returning id`);
  return { transaction_id: rows.map(({ id }) => id) };
}

async function createPayout(): Promise<string> {
  const { member_id, token } = cast.deployed;
  // The fuzzer may have requested a payout, and only one can be in progress.
  await app.drainQueue();
  await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0 });
  await requestAndSendPayout(app, token, 1);
  return (await app.request('GET', '/members/me/payouts', { token })).body.data[0].id;
}

/** A match of our job that its member has accepted. Our organisation may vouch for people. */
async function createAgreedMatch(): Promise<string> {
  await proveOwnDomain();
  const { id } = await findStoredMatch(app, cast.ours.job_id, cast.deployed.member_id);
  await forceMatchStatus(app, id, 'member_accepted');
  return id;
}

async function proveOwnDomain(): Promise<void> {
  const { org_id } = cast.ours;
  const claims = await app.sql.list(sql`select domain from organisation_domains where org_id = ${org_id}`);
  if (claims.length === 0) await proveDomain(app, org_id);
}

async function createAchievement(): Promise<string> {
  const body = { ...achievementDraft, name: randomUUID() };
  const { token } = cast.ours.admin;
  return (await app.request('POST', '/orgs/me/achievements', { token, body })).body.id;
}

async function createOffer(): Promise<string> {
  const match_id = await createAgreedMatch();
  const claims = { statement: randomUUID() };
  const body = { match_id, credential_type: 'org_validation', claims };
  return (await app.request('POST', '/orgs/me/credentials', { token: cast.ours.admin.token, body })).body.id;
}

const createWallet = () => privateKeyToAccount(generatePrivateKey());

const bankVersions = { bank: ['tessera'], version: [itemBank.parameter_version, 'made-up'] };

/** Operation → input that works only once, such as a token from an email, created before the operation is fuzzed. */
const prepare: Readonly<Record<string, () => Promise<Dictionary>>> = {
  'reads.createRead': () => createReadableIds(),
  'reads.createMarketplaceRead': () => createReadableIds(),
  'reads.readMarketplaceRead': async () => ({ transaction_id: [await createTransaction()] }),
  'reads.declineProposal': () => createProposals(),
  'matches.deleteView': async () => ({ view_id: [await findView(), unknownId] }),
  'stubs.deleteStub': async () => ({ claim_code: [await createClaimCode()] }),
  'reads.exportMemberReceipt': async () => ({
    read_id: [await recordSoldRead(app, cast.deployed.member_id, { gross: 250_000n }), unknownId],
  }),
  'reads.exportOrganisationReceipt': async () => ({
    read_id: [await recordSoldRead(app, cast.deployed.member_id, { org_id: cast.ours.org_id }), unknownId],
  }),
  'books.recordTopUp': async () => ({
    reference: [`INV-${crypto.randomUUID().slice(0, 8)}`, 'a b'],
    org_id: [cast.ours.org_id, unknownId],
  }),
  'foreignCredentials.verifyCredentialText': async () => ({
    credential: (await createCredentialWords()).token!,
  }),
  'books.exportStatement': async () => ({ from: ['2026-03-01', '2020-01-01'], to: ['2026-03-02'] }),
  'books.exportPayoutReceipt': async () => ({ payout_id: [await createPayout(), unknownId] }),
  'stubs.readStub': async () => ({ claim_code: [await createClaimCode()] }),
  'stubs.addStubObservations': async () => ({ claim_code: [await createClaimCode()] }),
  'stubs.claimIdentity': async () => ({ claim_code: [await createClaimCode()] }),
  'accounts.refreshSession': async () => ({ cookie: await createCookies() }),
  'accounts.logOut': async () => ({ cookie: await createCookies() }),
  'accounts.verifyEmail': async () => {
    const { email } = await app.registerMember();
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
    return { token: [/token=([\w-]+)/.exec(mail?.text ?? '')?.[1]] };
  },
  'accounts.resetPassword': async () => {
    const { email } = await app.registerMember();
    await app.request('POST', '/auth/forgot-password', { body: { email } });
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(
      ({ to, text }) => to.includes(email) && text.includes('/reset-password?'),
    );
    return {
      token: [/token=([\w-]+)/.exec(mail?.text ?? '')?.[1]],
      new_password: ['Another-Horse-8-Stable', 'Password1234!', 'short'],
    };
  },
  'matches.readContact': async () => {
    await acceptMatch();
    return {};
  },
  'placements.recordOutcome': async () => {
    await acceptMatch();
    return { placed_at: [undefined, app.clock.now().toISOString()], ended_at: [undefined] };
  },
  'placements.giveFeedback': async () => {
    const match_id = await acceptMatch();
    const placed_at = new Date(app.clock.now().getTime() - 200 * 86_400_000).toISOString();
    await app.request('POST', `/matches/${match_id}/outcome`, {
      token: cast.ours.admin.token,
      body: { outcome: 'placed', placed_at },
    });
    return {};
  },
  'placements.correctPlacement': async () => {
    const match_id = await acceptMatch();
    const formatDaysAgo = (days: number) =>
      new Date(app.clock.now().getTime() - days * 86_400_000).toISOString();
    await app.request('POST', `/matches/${match_id}/outcome`, {
      token: cast.ours.admin.token,
      body: { outcome: 'placed', placed_at: formatDaysAgo(200) },
    });
    return { placed_at: [formatDaysAgo(100), formatDaysAgo(150)] };
  },
  'accounts.openAccount': async () => ({
    token: [await requestAccountLink(app, 'opener@example.org')],
    password: [password],
  }),
  'traits.sendMirror': async () => ({
    mirror: [(await answerMirror(app, 1)).mirror],
    email: ['visitor@example.org'],
  }),
  'traits.keepMirror': async () => {
    const { mirror } = await answerMirror(app, 1);
    return { token: [await requestLink(app, mirror, 'keeper@example.org')], version: ['1.0'] };
  },
  'traits.addMirror': async () => {
    const { token, email } = cast.newcomer;
    const body = { consent_type: 'assessment_data', granted: true, version: '1.0' };
    await app.request('POST', '/members/me/consent', { token, body });
    await app.sql.run(sql`delete from assessments where member_id = ${cast.newcomer.member_id}`);
    return { token: [await requestLink(app, (await answerMirror(app, 1)).mirror, email)] };
  },
  'traits.readVolunteer': async () => ({ code: [(await startVolunteer(app)).code, unknownId] }),
  'traits.answerVolunteerItem': async () => {
    const { code, next_item } = await startVolunteer(app);
    return { code: [code, unknownId], item_id: [next_item!.item_id], option: [1, 99] };
  },
  'traits.deleteVolunteer': async () => ({ code: [(await startVolunteer(app)).code, unknownId] }),
  'traits.requestRetest': async () => ({
    code: [await completeTest(), unknownId],
    email: ['volunteer@example.org'],
  }),
  'traits.setRetest': async () => ({
    token: [await requestRetest(app, await completeTest(), createEmail())],
    is_wanted: [true, false],
  }),
  'traits.decideItemFinding': async () => ({
    finding_id: [await createFinding(), unknownId],
    item_id: [undefined],
  }),
  'traits.undoItemDecision': async () => ({ finding_id: [await createDecision(), unknownId] }),
  'reviews.answerReview': async () => {
    await askForReview();
    return {};
  },
  'reviews.withdrawReview': async () => {
    await askForReview();
    return {};
  },
  'rights.cancelDeletion': async () => {
    const { email, token } = await app.registerMember();
    await app.request('DELETE', '/members/me', { token });
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(
      ({ to, text }) => to.includes(email) && text.includes('/cancel-deletion?'),
    );
    return { token: [/token=([\w-]+)/.exec(mail?.text ?? '')?.[1]] };
  },
  'books.requestPayout': async () => {
    for (const { member_id } of [cast.deployed, cast.newcomer])
      await recordSoldRead(app, member_id, { gross: 4_000_000n, hold_seconds: 0 });
    return { amount: [1, 1.5], destination: [sample_destination] };
  },
  'accounts.addPasskey': async () => {
    const options = await requestOptions(app, 'register', cast.deployed.token);
    return { passkey: [createAuthenticator(publicUrl).create(options)] };
  },
  'accounts.checkHandle': async () => ({ handle: ['ada-lind', 'support', 'x'] }),
  'accounts.createAccountByHandle': async () => {
    const handle = `h${Math.random().toString(36).slice(2, 12)}`;
    const { body } = await app.request('POST', '/auth/passkeys/challenge', {
      body: { purpose: 'create_account', handle },
    });
    return {
      handle: [handle],
      password: [password, undefined],
      email: [undefined],
      passkey: [createAuthenticator(publicUrl).create(body.public_key), undefined],
    };
  },
  'accounts.logInByHandle': async () => {
    const handle = `l${Math.random().toString(36).slice(2, 12)}`;
    await app.request('POST', '/auth/handles', { body: { handle, password } });
    return { handle: [handle], password: [password] };
  },
  'payments.createChallenge': async () => ({ address: [createWallet().address] }),
  'payments.bindWallet': async () => {
    const [wallet, { token }] = [createWallet(), cast.ours.admin];
    const { address } = wallet;
    const { body } = await app.request('POST', '/orgs/me/wallets/challenge', { token, body: { address } });
    return { address: [address], signature: [await wallet.signMessage({ message: body.message })] };
  },
  'payments.unbindWallet': async () => ({
    wallet_id: [await bindWallet(app, cast.ours.admin.token, createWallet()), unknownId],
  }),
  'accounts.authenticatePasskey': async () => {
    const { authenticator } = await addTestPasskey(app, await app.registerMember());
    return { passkey: [authenticator.get(await requestOptions(app, 'log_in'))] };
  },
  // The same password again, so that the cast can still log in.
  'accounts.changePassword': async () => ({ current_password: [password], new_password: [password] }),
  'operator.inspectUser': async () => ({ user_id: [cast.newcomer.user_id, unknownId] }),
  // The users of the organisation of the cast would be logged out.
  'operator.suspendOrganisation': async () => ({
    org_id: [(await app.registerOrgAdmin()).org_id, unknownId],
  }),
  'operator.resumeOrganisation': async () => ({ org_id: [cast.theirs.org_id, unknownId] }),
  'operator.suspendAccount': async () => ({ user_id: [(await app.registerMember()).user_id, unknownId] }),
  'operator.resumeAccount': async () => ({ user_id: [(await app.registerMember()).user_id, unknownId] }),
  'operator.resetAccountMfa': async () => {
    const member = await app.registerMember();
    await enableMfa(app, member);
    return { user_id: [member.user_id, unknownId] };
  },
  'operator.inspectOrganisation': async () => ({ org_id: [cast.theirs.org_id, unknownId] }),
  'operator.assignTier': async () => ({ org_id: [cast.theirs.org_id, unknownId] }),
  'operator.attestDomain': async () => {
    const { org_id } = await app.registerOrgAdmin();
    await app.sql.transaction((tx) =>
      claimDomains(tx, { org_id, domains: ['pier.org'], now: app.clock.now() }),
    );
    return { org_id: [org_id, unknownId], domain: ['pier.org', 'elsewhere.org', 'a..b'] };
  },
  'operator.retryFailure': async () => {
    await failNotice(app);
    const { id } = await app.sql.one(
      sql<{ id: string }>`select id from tasks where status = 'failed' limit 1`,
    );
    return { failure_id: [id] };
  },
  'operator.revokeKey': async () => ({ kid: [app.platform.keys.selectActive('credential').kid, 'made-up'] }),
  'learning.previewFitPolicy': () => insertCandidatePolicy(),
  'learning.promoteFitPolicy': () => insertCandidatePolicy(),
  'learning.rollBackFitPolicy': async () => {
    await insertCandidatePolicy();
    await app.sql.run(sql`
      insert into fit_policy_uses select max(number) + 1, 2, 'promote', now() from fit_policy_uses`);
    return { live: [2, 1] };
  },
  'agents.readInteraction': () => createInteraction(),
  'agents.finishConsent': () => createInteraction(),
  'agents.denyInteraction': () => createInteraction(),
  'traits.startCalibration': async () => {
    await insertRespondents();
    return {};
  },
  'traits.activateCalibration': async () => ({ version: [itemBank.parameter_version, 'made-up'] }),
  'traits.readBankVersion': async () => bankVersions,
  'traits.useBankVersion': async () => bankVersions,
  'matches.previewVersion': async () => bankVersions,
  'webhooks.fetchDeliveries': createStreamIds,
  'webhooks.reportDeliveries': createStreamIds,
  'serviceKeys.createServiceKey': async () => ({
    permissions: [['GET /orgs/me/jobs'], ['GET /orgs/me', 'POST /orgs/me/jobs']],
    networks: [[], ['203.0.113.0/24']],
  }),
  'serviceKeys.registerPublicKey': async () => ({
    permissions: [['GET /orgs/me/jobs']],
    networks: [[]],
    public_key: [(await generateSigningKey()).public_key, { kty: 'EC' }],
  }),
  'serviceKeys.replacePublicKey': async () => ({
    service_key_id: [(await registerProgram(app, cast.ours.admin.token)).id, unknownId],
    public_key: [(await generateSigningKey('EdDSA')).public_key],
  }),
  'serviceKeys.rotateServiceKey': async () => ({ service_key_id: await createServiceKeys() }),
  'serviceKeys.revokeServiceKey': async () => ({ service_key_id: await createServiceKeys() }),
  'serviceKeys.listKeyRequests': async () => ({ service_key_id: await createServiceKeys() }),
  'serviceKeys.createOperatorKey': async () => ({
    permissions: [['GET /operator/health'], ['GET /audit-log', 'GET /operator/queue']],
    networks: [[], ['203.0.113.0/24']],
  }),
  'serviceKeys.registerOperatorPublicKey': async () => ({
    permissions: [['GET /operator/health']],
    networks: [[]],
    public_key: [(await generateSigningKey()).public_key, { kty: 'EC' }],
  }),
  'serviceKeys.replaceOperatorPublicKey': async () => ({
    service_key_id: [await registerOperatorKey(), unknownId],
    public_key: [(await generateSigningKey('EdDSA')).public_key],
  }),
  'serviceKeys.rotateOperatorKey': async () => ({ service_key_id: await createOperatorKeys() }),
  'serviceKeys.revokeOperatorKey': async () => ({ service_key_id: await createOperatorKeys() }),
  'serviceKeys.listOperatorKeyRequests': async () => ({ service_key_id: await createOperatorKeys() }),
  'orgUsers.changeUserRole': async () => {
    const colleagues = [1, 2, 3].map(() => createColleague(app, cast.ours.org_id, 'org_viewer'));
    return { user_id: [...(await Promise.all(colleagues)).map(({ user_id }) => user_id), unknownId] };
  },
  'accounts.verifyMfa': async () => {
    const { body } = await app.request('POST', '/auth/mfa/setup', { token: cast.newcomer.token, body: {} });
    return { code: [computeTotpCode(body.secret, app.clock)] };
  },
  'accounts.disableMfa': async () => {
    const { user_id } = cast.newcomer;
    await app.sql.run(sql`delete from authenticators where user_id = ${user_id}`);
    return { code: [computeTotpCode((await enableMfa(app, cast.newcomer)).secret, app.clock)] };
  },
  'accounts.authenticateMfa': async () => {
    const member = await app.registerMember();
    const { secret } = await enableMfa(app, member);
    const mfa_ticket = await Promise.all(Array.from({ length: 6 }, () => requestTicket(app, member)));
    return {
      mfa_ticket,
      code: [computeTotpCode(secret, app.clock)],
      email: [member.email],
      recovery: [false, true],
    };
  },
  'accounts.endSession': async () => {
    const { newcomer } = cast;
    const sessions = sql<{
      id: string;
    }>`select id from sessions where user_id = ${newcomer.user_id} order by created_at, id`;
    const [own] = await app.sql.list(sessions);
    await app.sql.run(sql`
      insert into sessions (id, user_id, created_at, last_used_at, expires_at, address)
      select gen_random_uuid(), user_id, created_at, last_used_at, expires_at, address from sessions, generate_series(1, 3) where id = ${own!.id}`);
    const others = (await app.sql.list(sessions)).map(({ id }) => id).filter((id) => id !== own!.id);
    return { session_id: [...others, unknownId] };
  },
  'sso.startLogin': async () => ({
    org_id: [await configureSso()],
    relay_state: ['/jobs?a=b', '//evil.example', ''],
  }),
  'sso.readMetadata': async () => ({ org_id: [await configureSso(), cast.theirs.org_id, unknownId] }),
  'sso.readConfiguration': async () => ({ org_id: [await configureSso()] }),
  'sso.readOpenid': async () => ({ org_id: [await configureProvider()] }),
  'sso.configureOpenid': async () => ({ org_id: [await configureProvider()], issuer: [provider.issuer] }),
  'sso.finishOpenidLogin': createOpenidAnswers,
  'sso.verifyDomain': async () => ({
    org_id: [await configureSso()],
    domain: [ssoDomain, ssoDomain.toUpperCase()],
  }),
  'sso.configureSso': async () => ({
    org_id: [await configureSso()],
    idp_metadata_xml: [buildIdpMetadata()],
    ...Object.fromEntries(
      ['idp_metadata_url', 'idp_entity_id', 'idp_sso_url', 'idp_certificates'].map((name) => [
        name,
        [undefined],
      ]),
    ),
  }),
  'orgUsers.removeUser': async () => ({
    user_id: [...(await createInvitations(3)).map(({ id }) => id), unknownId],
  }),
  'orgUsers.resendInvitation': async () => {
    const user_id = [...(await createInvitations(6)).map(({ id }) => id), unknownId];
    // A second email to the same address is sent after ten minutes at the earliest.
    app.clock.advance(600_000);
    return { user_id };
  },
  'orgUsers.acceptInvitation': async () => {
    const invitations = await createInvitations(4);
    return { token: await Promise.all(invitations.map(({ email }) => readMailedToken(app, email))) };
  },
  // Other jobs than the cast's: with a changed job, the next computation would remove the cast's matches.
  'jobs.updateJob': async () => ({ job_id: [await createJob(), cast.theirs.job_id, unknownId] }),
  'jobs.closeJob': async () => ({ job_id: [await createJob(), cast.theirs.job_id, unknownId] }),
  'matches.undoDecision': async () => {
    const decision_id = crypto.randomUUID();
    await app.sql.run(sql`
      update matches set match_status = 'org_passed', decision_id = ${decision_id} where job_id = ${cast.ours.job_id}`);
    return { job_id: [cast.ours.job_id], decision_id: [decision_id, unknownId] };
  },
  'matches.respondToMatch': async () => {
    const { member_id } = cast.deployed;
    await app.sql.run(sql`update members set assessment_phase = 'complete' where id = ${member_id}`);
    await app.sql.run(
      sql`update matches set match_status = 'org_interested' where job_id = ${cast.ours.job_id}`,
    );
    return {};
  },
  'achievements.updateAchievement': async () => ({ achievement_id: [await createAchievement(), unknownId] }),
  'partners.setConnection': async () => ({ key: ['key-of-the-system'], origin: ['https://ats.example.org'] }),
  'partners.deleteConnection': async () => {
    const { token } = cast.ours.admin;
    const body = { key: 'key-of-the-system' };
    await app.request('PUT', '/orgs/me/partners/greenhouse', { token, body });
    return { partner: ['greenhouse'] };
  },
  'candidates.readCandidateInvitation': async () => createOwnInvitations(),
  'candidates.cancelCandidateInvitation': async () => createOwnInvitations(),
  'candidates.resendCandidateInvitation': async () => {
    const invitations = await createOwnInvitations();
    // A second email about a job is sent to the same address after a day at the earliest.
    const ids = invitations.invitation_id;
    await app.sql.run(sql`
      update candidate_invitations set sent_at = sent_at - interval '1 day' where id = any(${ids}::uuid[])`);
    return invitations;
  },
  'candidates.openCandidateInvitation': async () => ({ token: [await createInvitationToken()] }),
  'candidates.answerCandidateInvitation': async () => ({
    token: [await createInvitationToken(), await createInvitationToken()],
    decision: ['decline', 'stop'],
  }),
  'candidates.answerMemberInvitation': async () => {
    const { email, member_id } = cast.deployed;
    await app.sql.run(sql`update members set email_verified = true where id = ${member_id}`);
    const { id } = await createCandidateInvitation(app, { email });
    return { invitation_id: [id, unknownId] };
  },
  'offers.offerCredential': async () => ({
    match_id: [await createAgreedMatch(), unknownId],
    member_id: [cast.deployed.member_id],
    credential_type: ['org_validation'],
    achievement_id: [await createAchievement()],
    claims: [{ statement: randomUUID() }],
  }),
  'jobs.importTable': async () => ({
    csv: ['title,outcome_description\nNurse,You are calm.', 'title\nNurse'],
  }),
  'jobs.importFromAddress': async () => ({ url: [fuzzed_page.url, 'https://jobs.lever.co/', 'nurse'] }),
  'directories.setGroupRole': async () => ({
    group_id: [await createOwnGroup(), unknownId],
    role: ['auditor', null],
  }),
  'jobs.followBoard': async () => ({ url: [fuzzed_page.url, 'nurse'] }),
  'jobs.readBoard': async () => createOwnBoard(),
  'jobs.updateBoard': async () => createOwnBoard(),
  'jobs.unfollowBoard': async () => createOwnBoard(),
  'jobs.readBoardNow': async () => createOwnBoard(),
  'jobs.dismissBoardChanges': async () => createOwnBoard(),
  'offers.importAttestations': async () => ({
    csv: [`match_id,statement\n${await createAgreedMatch()},${randomUUID()}`, 'match_id\nnobody'],
  }),
  'offers.revokeAttestation': async () => ({ offer_id: [await createOffer(), unknownId] }),
  'offers.answerOffer': async () => ({
    offer_id: [await createOffer(), unknownId],
    decision: ['accept'],
  }),
  'credentials.issueCredential': async () => ({
    member_id: [cast.deployed.member_id],
    // The archetype of the cast's member is not certain enough.
    credential_type: ['trait_attestation'],
    attestation_tier: ['self_attested'],
    claims: [{ trait_coverage: 0.5 }],
  }),
  'rights.readDataExport': async () => {
    const { token } = cast.deployed;
    const { body } = await app.request('POST', '/members/me/data-export', { token, body: {} });
    await app.drainQueue();
    return { task_id: [body.task_id, unknownId] };
  },
  'consent.setQueryCategory': async () => {
    const body = { consent_type: 'identity_queries', granted: true, version: '1.0' };
    await app.request('POST', '/members/me/consent', { token: cast.deployed.token, body });
    return {};
  },
  'culture.readProfile': async () => {
    await app.sql.run(sql`
      insert into culture_profiles (org_id, version, questionnaire_version, basis, respondents, braving, cvf, computed_at)
      values (${cast.ours.org_id}, 1, 'culture-1', 'declared', 0, ${JSON.stringify(evenCulture.braving)}, ${JSON.stringify(evenCulture.cvf)},
        '2020-01-01')`);
    return {};
  },
  'traits.answerItem': async () => {
    const { token } = cast.deployed;
    const { body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
    return { item_id: [body.next_item.item_id] };
  },
  'traits.undoAnswer': async () => {
    const { token } = cast.deployed;
    const { body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
    const { item_id } = body.next_item;
    const answered = await app.request('POST', '/members/me/assessment/answers', {
      token,
      body: { item_id, option: 0 },
    });
    return { item_id: [answered.body.next_item.item_id] };
  },
};

/** A version of the policy that may follow the first one. */
async function insertCandidatePolicy(): Promise<Dictionary> {
  await app.sql.run(sql`
    insert into fit_policies select 2, 1, created_at, multipliers, trained_on from fit_policies where version = 1
    on conflict do nothing`);
  return { version: ['2', '1', '3'], live: [1, 2] };
}

/** Credentials of the two deployed members and their tokens, valid and damaged. */
async function createCredentialWords(): Promise<Dictionary> {
  // Without an archetype, which would change the vectors of the cast.
  const coverage = { claims: { trait_coverage: 0.9 } };
  const own = await createCredential(app, cast.deployed.token, coverage);
  const others = await createCredential(app, cast.neighbour.token, coverage);
  const { vc_jwt, sd_jwt_vc, attestation_token } = own.formats;
  return {
    credential_id: [own.id, others.id, unknownId],
    list_id: [findStatusListId(own), unknownId],
    token: [
      vc_jwt,
      sd_jwt_vc,
      attestation_token,
      `${attestation_token}=`,
      attestation_token.slice(9),
      sd_jwt_vc.slice(0, -9),
    ],
  };
}

/** Finds a saved view, of which the fuzzer may have saved as many as are allowed, or saves one. */
async function findView(): Promise<string> {
  const [path, { token }] = ['/orgs/me/table-views', cast.ours.admin];
  const saved = await app.request('POST', path, { token, body: { name: 'To call' } });
  return saved.body.id ?? (await app.request('GET', path, { token })).body.data[0].id;
}

async function createStreamIds(): Promise<Dictionary> {
  const { id } = await openStream(app, cast.ours.admin.token);
  return { subscription_id: [id, unknownId] };
}

async function createWebhookIds(): Promise<Dictionary> {
  const { admin } = cast.ours;
  const { id } = await createSubscription(app, admin.token, { url: 'https://hooks.example.org/' });
  const { body } = await app.request('POST', `/webhooks/${id}/test`, { token: admin.token });
  return {
    subscription_id: [id, unknownId],
    delivery_id: [body.id, unknownId],
    url: ['https://hooks.example.org/other', 'http://hooks.example.org/', 'https://127.0.0.1/'],
    since: [app.clock.now().toISOString(), '1970-01-01T00:00:00.000Z'],
  };
}

/** A grant of each role that the fuzzer calls with. */
async function createGrantIds(): Promise<Dictionary> {
  const [admin, member] = [cast.ours.admin, cast.deployed];
  const ids = [await allowAgent(app, admin), await allowAgent(app, member)];
  return {
    grant_id: [...ids, unknownId],
    tool: ['query_archetype', 'update_profile', 'read_profile'],
    spend_cap: [0.01, 25],
  };
}

/** Three keys of our organisation, and the id of none. */
async function createServiceKeys(): Promise<readonly string[]> {
  const created = [1, 2, 3].map(() => createServiceKey(app, cast.ours.admin.token));
  return [...(await Promise.all(created)).map(({ id }) => id), unknownId];
}

/** Two keys of the operator in place of those that requests have made, and the id of none. */
async function createOperatorKeys(): Promise<readonly string[]> {
  await app.sql.run(sql`delete from service_keys where org_id is null`);
  const created = [1, 2].map(() => createOperatorKey(app, cast.platformAdmin.token));
  return [...(await Promise.all(created)).map(({ id }) => id), unknownId];
}

/** A public key of the operator in place of the keys that requests have made. */
async function registerOperatorKey(): Promise<string> {
  await app.sql.run(sql`delete from service_keys where org_id is null`);
  const { public_key } = await generateSigningKey();
  const body = { name: 'Monitoring', permissions: ['GET /operator/health'], public_key };
  const { token } = cast.platformAdmin;
  return (await app.request('POST', '/operator/service-keys/public', { token, body })).body.id as string;
}

async function createPasskeyIds(): Promise<Dictionary> {
  const { id } = await addTestPasskey(app, cast.deployed);
  return { passkey_id: [id, unknownId] };
}

function findStatusListId({ formats }: IssuedCredential): string {
  return readPayload(formats.attestation_token).status.status_list.uri.split('/').at(-1);
}

/** Configures single sign-on for the cast's own organisation. */
async function configureSso(): Promise<string> {
  const { org_id, admin } = cast.ours;
  await setTier(app.platform, { org: org_id, tier: 'E3 Operator' });
  const { token } = admin;
  await app.sql.run(sql`delete from openid_configurations where org_id = ${org_id}`);
  await app.request('POST', `/orgs/${org_id}/sso/configure`, { token, body: buildConfigurationBody() });
  return org_id;
}

/** Configures OpenID Connect instead of SAML for the cast's own organisation. */
async function configureProvider(): Promise<string> {
  const { org_id, admin } = cast.ours;
  await setTier(app.platform, { org: org_id, tier: 'E3 Operator' });
  await app.sql.run(sql`delete from sso_configurations where org_id = ${org_id}`);
  await configureOpenid(app, { org_id, admin }, { issuer: provider.issuer });
  return org_id;
}

/** Answers of the provider to logins of one browser, each of which counts once. */
async function createOpenidAnswers(): Promise<Dictionary> {
  const org_id = await configureProvider();
  const states: string[] = [];
  let cookies: Readonly<Record<string, string>> = {};
  for (let count = 0; count < 40; count++) {
    const started = await app.request('GET', `/auth/sso/${org_id}/login`, { cookies });
    ({ cookies } = started);
    states.push(provider.noteLogin(String(started.headers['location'])));
  }
  const cookie = [`sso_browser=${cookies['sso_browser']}`];
  return { org_id: [org_id], state: states, code: ['a'], iss: [undefined], error: [undefined], cookie };
}

/** Lets the deployed member accept the match with our job. @returns the id of the match. */
async function acceptMatch(): Promise<string> {
  const { ours, deployed } = cast;
  const match_id = await cast.readMatchId(deployed, ours);
  await app.request('PUT', `/matches/${match_id}/status`, {
    token: ours.admin.token,
    body: { status: 'org_interested' },
  });
  await app.request('POST', `/matches/${match_id}/response`, {
    token: deployed.token,
    body: { decision: 'accept' },
  });
  return match_id;
}

/** Asks for a review, which one that is open already refuses. */
async function askForReview(): Promise<void> {
  const { ours, deployed } = cast;
  const match_id = await cast.readMatchId(deployed, ours);
  await app.request('POST', `/matches/${match_id}/review`, { token: deployed.token, body: {} });
}

/** A group of the directory of an organisation whose tier has single sign-on. */
async function createOwnGroup(): Promise<string> {
  await app.sql.run(sql`update organisations set tier = 'E3 Operator' where id = ${cast.ours.org_id}`);
  return createStoredGroup(app, cast.ours.org_id);
}

/** A followed board with changes, beside those that do not exist. */
async function createOwnBoard() {
  await app.sql.run(sql`delete from boards`);
  const { board_id, change_id } = await followBoard(app, cast.ours.admin.token);
  return { board_id: [board_id, unknownId], change_id: [change_id, unknownId] };
}

/** Invitations to a job of the cast's organisation, which its users can read. */
async function createOwnInvitations() {
  const job_id = await createJob();
  const { token } = cast.ours.admin;
  const { body } = await inviteCandidate(app, { token, job_id }, { email: createEmail() });
  return { job_id: [job_id], invitation_id: [body.id as string, unknownId] };
}

async function createInvitationToken(): Promise<string | undefined> {
  return readInvitationToken(app, (await createCandidateInvitation(app)).email);
}

async function createJob(): Promise<string> {
  const { token } = cast.ours.admin;
  const { body } = await app.request('POST', '/orgs/me/jobs', { token, body: castJob });
  return body.id;
}

/** Invites users to the cast's own organisation. */
function createInvitations(count: number) {
  return Promise.all(Array.from({ length: count }, () => createInvitation(app, cast.ours.admin.token)));
}

const evenCulture = computeScores([computePoints(buildAnswers(2))]);

/** An authorization request, and the cookie of the browser that started it. */
async function createInteraction(): Promise<Dictionary> {
  // One tool for members, and one for organisations.
  const scope = 'tool:read_profile tool:list_jobs';
  const url = buildAuthorizeUrl(app, await registerClient(app), createChallenge(), { scope });
  const uid = await startInteraction(app, createBrowser(), url);
  return {
    uid: [uid],
    cookie: [`tessera-interaction=${uid}`],
    tools: [['read_profile'], ['list_jobs']],
    spend_cap: [null],
  };
}

/** As many members with answers as a calibration needs. */
async function insertRespondents(): Promise<void> {
  await loadPopulation(app.platform, { members: '100', jobs: '0', seed: '4' }, { write: () => true });
  const items = listGradedItems('sincerity').map(({ id }) => id);
  await app.sql.run(sql`
    insert into assessments (id, member_id, item_bank_version, started_at, completed_at, quality_flags, item_ids, options)
    select gen_random_uuid(), id, 'mvp20-1', '2026-01-01', '2026-01-01', '{}', ${items}::text[], ${items.map(() => 2)}::smallint[]
    from members where is_synthetic`);
}

async function createCookies(): Promise<readonly string[]> {
  const { email } = await app.registerMember();
  const sessions = Array.from({ length: 4 }, () =>
    app.request('POST', '/auth/login', { body: { email, password } }),
  );
  return (await Promise.all(sessions)).map(
    ({ cookies: { refresh_token } }) => `refresh_token=${refresh_token}`,
  );
}
