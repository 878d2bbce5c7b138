import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { additionalRows, specifiedRows } from '../src/api.ts';
import { computeTotpCode, enableMfa, requestTicket } from './modules/auth.ts';
import { computePoints, computeScores } from '../src/modules/culture/score.ts';
import { buildAnswers } from './modules/culture.ts';
import { createInvitation, readMailedToken } from './modules/org-users.ts';
import { createCredential, readPayload, type IssuedCredential } from './modules/credentials.ts';
import { buildConfigurationBody, buildIdpMetadata } from './modules/sso.ts';
import type { Role } from '#lib/caller.ts';
import { setTier } from '#modules/orgs';
import { sql } from '#platform/database/database.ts';
import { buildOpenApiDocument } from '#platform/http/openapi.ts';
import { OutboundError } from '#platform/outbound/outbound.ts';
import { castJob, createCast, type Cast } from './cast.ts';
import { listOperations, type ApiDocument, type ApiOperation } from './fuzzer/document.ts';
import { fuzzOperation } from './fuzzer/fuzz.ts';
import type { Caller, Callers, FuzzedRequest } from './fuzzer/requests.ts';
import type { Dictionary } from './fuzzer/values.ts';
import type { RawReply } from './fuzzer/judge.ts';
import { unknownId, startApp, type TestApp } from './harness.ts';
import { filledProfile, password, createEmail } from './users.ts';
import { proves } from './requirements.ts';

/** Another seed and more requests by the environment: `TESSERA_FUZZ_SEED=7 TESSERA_FUZZ_RUNS=2000 npx vitest run test/contract-fuzzer.test.ts`. */
const seed = Number(process.env['TESSERA_FUZZ_SEED'] ?? 20_260_302);
const runs = Number(process.env['TESSERA_FUZZ_RUNS'] ?? 60);
const pendingRuns = Math.ceil(runs / 10);

const publicUrl = 'http://localhost:8420';
const rows = [...specifiedRows, ...additionalRows];
const whoOf = new Map(
  rows.flatMap(({ operation }) => (operation ? [[operation.name, operation.who] as const] : [])),
);
const operations = listOperations(buildOpenApiDocument(rows, publicUrl) as ApiDocument);
// Whoever logs out loses the token that the other operations need.
const ordered = operations.toSorted(
  (one, other) => Number(one.id === 'auth.logOut') - Number(other.id === 'auth.logOut'),
);

let app: TestApp;
let cast: Cast;
let sent = 0;
const statuses = new Map<number, number>();

beforeAll(async () => {
  app = await startApp({ TESSERA_PUBLIC_URL: publicUrl });
  cast = await createCast(app);
  // Whatever addresses the fuzzer thinks of, nothing leaves the test.
  Object.assign(app.platform, { fetchOutbound: () => Promise.reject(new OutboundError('unresolvable')) });
});

afterAll(() => {
  const shares = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`);
  process.stdout.write(
    `contract fuzzer: seed ${seed}, ${sent} requests to ${operations.length} operations, ${shares.join(', ')}\n`,
  );
});

it('reads the document that the service gives out', async () => {
  const { body } = await app.request('GET', '//openapi.json');
  expect(listOperations(body)).toEqual(operations);
});

describe(`with seed ${seed}, whatever is sent is answered as the document says by`, () => {
  it.each(ordered.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s',
    async (_, operation) => {
      proves('surface-json-bodies');
      await restore();
      const surroundings = { callers: await callers(operation), dictionary: await dictionary(operation) };
      const tally = await fuzzOperation(operation, {
        ...surroundings,
        send,
        seed,
        runs: operation.pending ? pendingRuns : runs,
      });
      for (const [status, count] of tally) statuses.set(status, (statuses.get(status) ?? 0) + count);
      const succeeded = [...tally.keys()].some((status) => status < 400);
      expect(succeeded, 'a fuzzer that is refused everything tests the refusals only').toBe(
        !operation.pending,
      );
    },
  );
});

it('has sent enough for its silence to mean something', () => {
  expect(sent).toBeGreaterThanOrEqual(2_000);
});

async function send({ method, url, headers, body }: FuzzedRequest): Promise<RawReply> {
  sent++;
  const response = await app.server.inject({
    method: method as 'GET',
    url,
    headers,
    ...(body !== undefined && { payload: body }),
  });
  return { status: response.statusCode, headers: response.headers, text: response.payload };
}

/** Takes back what the fuzzer has withdrawn or emptied. */
async function restore(): Promise<void> {
  const { token } = cast.deployed;
  for (const consent_type of ['assessment_data', 'matching'])
    await app.request('POST', '/members/me/consent', {
      token,
      body: { consent_type, granted: true, version: '1' },
    });
  await app.request('PUT', '/members/me/profile', { token, body: filledProfile });
  await app.request('PUT', '/members/me/matching-preferences', { token, body: {} });
  await app.sql.run(
    sql`update matches set match_status = 'pending_review' where job_id = ${cast.ours.job_id}`,
  );
}

async function callers(operation: ApiOperation): Promise<Callers> {
  const { ours, platformAdmin } = cast;
  // Whoever deletes their account is lost to the other operations.
  const leaves = ['rights.deleteAccount', 'rights.withdrawAllConsent'].includes(operation.id);
  const { newcomer, deployed } = leaves
    ? { newcomer: await app.registerMember(), deployed: await app.registerMember() }
    : cast;
  const who = whoOf.get(operation.id) ?? 'anyone';
  const bearer = (role: Role, { token }: { readonly token: string }): Caller => ({
    authorization: `Bearer ${token}`,
    known: true,
    weight: who !== 'anyone' && who.includes(role) ? Math.ceil(24 / who.length) : 2,
  });
  return {
    anonymous: { known: false, weight: who === 'anyone' ? 24 : 2 },
    deployed: bearer('member', deployed),
    newcomer: bearer('member', newcomer),
    org_admin: bearer('org_admin', ours.admin),
    org_viewer: bearer('org_viewer', ours.viewer),
    auditor: bearer('auditor', ours.auditor),
    platform_admin: bearer('platform_admin', platformAdmin),
    ...Object.fromEntries(
      strangers(deployed.token).map((authorization) => [
        authorization,
        { authorization, known: false, weight: 1 },
      ]),
    ),
  };
}

/** Headers that look like a token, and must open nothing. */
function strangers(token: string): readonly string[] {
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

async function dictionary(operation: ApiOperation): Promise<Dictionary> {
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
    ...(operation.path.includes('/credentials/') && (await credentialWords())),
    ...(await fresh[operation.id]?.()),
  };
}

/** Operation → what it takes and works only once, made anew. */
const fresh: Readonly<Record<string, () => Promise<Dictionary>>> = {
  'auth.refreshSession': async () => ({ cookie: await cookies() }),
  'auth.logOut': async () => ({ cookie: await cookies() }),
  'auth.verifyEmail': async () => {
    const { email } = await app.registerMember();
    await app.drainQueue();
    const mail = (await app.readMails()).findLast(({ to }) => to.includes(email));
    return { token: [/token=([\w-]+)/.exec(mail?.text ?? '')?.[1]] };
  },
  'auth.resetPassword': async () => {
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
  'auth.verifyMfa': async () => {
    const { body } = await app.request('POST', '/auth/mfa/setup', { token: cast.newcomer.token, body: {} });
    return { code: [computeTotpCode(body.secret, app.clock)] };
  },
  'auth.disableMfa': async () => {
    const { user_id } = cast.newcomer;
    await app.sql.run(sql`delete from authenticators where user_id = ${user_id}`);
    return { code: [computeTotpCode((await enableMfa(app, cast.newcomer)).secret, app.clock)] };
  },
  'auth.authenticateMfa': async () => {
    const person = await app.registerMember();
    const { secret } = await enableMfa(app, person);
    const mfa_ticket = await Promise.all(Array.from({ length: 6 }, () => requestTicket(app, person)));
    return {
      mfa_ticket,
      code: [computeTotpCode(secret, app.clock)],
      email: [person.email],
      recovery: [false, true],
    };
  },
  'auth.endSession': async () => {
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
    org_id: [await signsOn()],
    relay_state: ['/jobs?a=b', '//evil.example', ''],
  }),
  'sso.readMetadata': async () => ({ org_id: [await signsOn(), cast.theirs.org_id, unknownId] }),
  'sso.readConfiguration': async () => ({ org_id: [await signsOn()] }),
  'sso.configureSso': async () => ({
    org_id: [await signsOn()],
    idp_metadata_xml: [buildIdpMetadata()],
    ...Object.fromEntries(
      ['idp_metadata_url', 'idp_entity_id', 'idp_sso_url', 'idp_certificates'].map((name) => [
        name,
        [undefined],
      ]),
    ),
  }),
  'orgUsers.removeUser': async () => ({ user_id: [...(await invitees(3)).map(({ id }) => id), unknownId] }),
  'orgUsers.resendInvitation': async () => {
    const user_id = [...(await invitees(6)).map(({ id }) => id), unknownId];
    // Two mails to one person are ten minutes apart.
    app.clock.advance(600_000);
    return { user_id };
  },
  'orgUsers.acceptInvitation': async () => {
    const people = await invitees(4);
    return { token: await Promise.all(people.map(({ email }) => readMailedToken(app, email))) };
  },
  // Jobs of their own: with another job, the cast's matches would go the next time that they are computed.
  'jobs.updateJob': async () => ({ job_id: [await anotherJob(), cast.theirs.job_id, unknownId] }),
  'jobs.closeJob': async () => ({ job_id: [await anotherJob(), cast.theirs.job_id, unknownId] }),
  'matching.respondToMatch': async () => {
    const { member_id } = cast.deployed;
    await app.sql.run(sql`update members set assessment_phase = 'complete' where id = ${member_id}`);
    await app.sql.run(
      sql`update matches set match_status = 'org_interested' where job_id = ${cast.ours.job_id}`,
    );
    return {};
  },
  'credentials.issueCredential': async () => ({
    member_id: [cast.deployed.member_id],
    credential_type: ['org_validation', 'placement_attestation'],
    attestation_tier: ['self_attested'],
    claims: [{ organisation_name: 'Harbour Health' }, { job_title: 'Archivist' }],
  }),
  'rights.readDataExport': async () => {
    const { token } = cast.deployed;
    const { body } = await app.request('POST', '/members/me/data-export', { token, body: {} });
    await app.drainQueue();
    return { task_id: [body.task_id, unknownId] };
  },
  'consent.setQueryCategory': async () => {
    const body = { consent_type: 'identity_queries', granted: true, version: '1' };
    await app.request('POST', '/members/me/consent', { token: cast.deployed.token, body });
    return {};
  },
  'culture.readProfile': async () => {
    await app.sql.run(sql`
      insert into culture_profiles (org_id, version, questionnaire_version, respondents, braving, cvf, computed_at)
      values (${cast.ours.org_id}, 1, 'culture-1', 5, ${JSON.stringify(evenCulture.braving)}, ${JSON.stringify(evenCulture.cvf)}, now())`);
    return {};
  },
  'traits.answerItem': async () => {
    const { token } = cast.deployed;
    const { body } = await app.request('POST', '/members/me/assessment', { token, body: {} });
    return { item_id: [body.next_item.item_id] };
  },
};

/** Credentials of the two deployed members and their tokens, whole and broken. */
async function credentialWords(): Promise<Dictionary> {
  const own = await createCredential(app, cast.deployed.token);
  const others = await createCredential(app, cast.neighbour.token);
  const { vc_jwt, sd_jwt_vc, attestation_token } = own.formats;
  return {
    credential_id: [own.id, others.id, unknownId],
    list_id: [listOf(own), unknownId],
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

function listOf({ formats }: IssuedCredential): string {
  return readPayload(formats.attestation_token).status.status_list.uri.split('/').at(-1);
}

/** Our own organisation, with single sign-on. */
async function signsOn(): Promise<string> {
  const { org_id, admin } = cast.ours;
  await setTier(app.platform, { org: org_id, tier: 'E3 Operator' });
  const { token } = admin;
  await app.request('POST', `/orgs/${org_id}/sso/configure`, { token, body: buildConfigurationBody() });
  return org_id;
}

async function anotherJob(): Promise<string> {
  const { token } = cast.ours.admin;
  const { body } = await app.request('POST', '/orgs/me/jobs', { token, body: castJob });
  return body.id;
}

/** People whom our own organisation has just invited. */
function invitees(many: number) {
  return Promise.all(Array.from({ length: many }, () => createInvitation(app, cast.ours.admin.token)));
}

const evenCulture = computeScores([computePoints(buildAnswers(2))]);

async function cookies(): Promise<readonly string[]> {
  const { email } = await app.registerMember();
  const sessions = Array.from({ length: 4 }, () =>
    app.request('POST', '/auth/login', { body: { email, password } }),
  );
  return (await Promise.all(sessions)).map(
    ({ cookies: { refresh_token } }) => `refresh_token=${refresh_token}`,
  );
}
