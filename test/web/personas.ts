import { setTimeout as pause } from 'node:timers/promises';
import { createClient, fetchRefreshToken, type Client } from '../../src/demo/client.ts';
import { takeAssessment } from '../../src/demo/take-assessment.ts';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { sql } from '#platform/database/database.ts';
import { simulatePerson } from '#test/modules/volunteers.ts';
import type { Platform } from '#platform/platform.ts';
import { filledProfile } from '../users.ts';
import { createAgents } from './agent-personas.ts';
import { createOperatorPersona } from './operator-persona.ts';
import { fillOrganisation } from './organisation-personas.ts';
import type { Persona, VisitIds } from './visits.ts';
import { shiftTime } from '../shift-time.ts';

export const password = 'Correct-Horse-7-Battery';

/** The variables of a service whose pages the personas see: each page exists, and no limit of requests applies. */
export const personaSettings = { TESSERA_RATE_LIMITS: 'off', TESSERA_VOLUNTEERS: 'on' } as const;

/** The sessions of the personas, as the console's cookie has them, and the ids that addresses need. */
export type Personas = {
  readonly sessions: Readonly<Partial<Record<Persona, string>>>;
  readonly ids: VisitIds;
};

/**
 * Registers the personas through the API of a running service. `runTasks` runs the background tasks that are queued, if the service does not
 * do so itself.
 */
export async function createPersonas(
  url: string,
  platform: Platform,
  runTasks: () => Promise<unknown> = async () => undefined,
): Promise<Personas> {
  const newcomer = await register(url, 'Ada Lind', 'member');
  const answering = await registerVerified(url, platform, 'Mira Okafor');
  await answering.api.post('/members/me/assessment', {});
  await answerSome(answering.api, 37);
  const matched = await registerVerified(url, platform, 'Tomás Rivera');
  await takeAssessment(matched.api, 'first', leaning, createSeededRandom(7));
  await agree(matched.api, 'matching');
  await matched.api.put('/members/me/profile', filledProfile);
  const credentials = await issueCredentials(matched.api);
  const undecided = await registerVerified(url, platform, 'Noor Haddad');
  await answerCarelessly(undecided.api);
  await agree(undecided.api, 'demographic_self_identification');
  await moveResultBack(platform, undecided.email);
  await undecided.api.post('/members/me/assessment', { restart: true });
  await answerCarelessly(undecided.api);
  const admin = await register(url, 'Harbour Health', 'org_admin');
  await verifyEmail(platform, admin.email);
  await addPasskeys(platform, matched.email);
  const { task_id } = await newcomer.api.post('/members/me/data-export');
  const { match, job } = await matchWithJob(matched.api, admin.api, runTasks);
  const operator = await createOperatorPersona(url, platform, {
    member: newcomer.email,
    org_admin: admin.email,
  });
  const organisation = await fillOrganisation({
    url,
    platform,
    admin: admin.api,
    member: matched.api,
    waitFor: (find) => waitFor(runTasks, find),
  });
  const volunteers = await createVolunteers(url);
  const agents = await createAgents(url, platform, { member: matched.email, org_admin: admin.email });
  return {
    sessions: {
      ...organisation.sessions,
      operator: operator.session,
      newcomer: newcomer.session,
      answering: answering.session,
      undecided: undecided.session,
      matched: matched.session,
      admin: admin.session,
    },
    ids: {
      export_task: task_id as string,
      match,
      job,
      ...credentials,
      ...operator.ids,
      ...agents,
      ...volunteers,
      ...organisation.ids,
    },
  };
}

const user_agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0';

/** Two passkeys, as their rows: no authenticator is needed to look at them. */
async function addPasskeys({ database }: Platform, email: string): Promise<void> {
  await database.run(sql`
    insert into passkeys (id, user_id, credential_id, public_key, sign_count, transports, synced, name, created_at, last_used_at)
    select gen_random_uuid(), users.id, name::bytea, '', 0, '{internal}', synced, name, created_at, used_at
    from users, (values ('Phone', true, now()), ('Blue security key', false, null)) as added (name, synced, used_at)
    where email = ${email}`);
}

/** What the matched member is like, so that the jobs below suit them. */
const leaning = {
  empathic_attunement: 2,
  collaborative_orientation: 1.8,
  discretion: 1.6,
  autonomy_drive: -1.2,
  persistence: -1,
};

type Registered = { readonly api: Client; readonly session: string; readonly email: string };

async function register(url: string, name: string, role: 'member' | 'org_admin'): Promise<Registered> {
  const email = `${name.toLowerCase().replace(/[^a-z]+/g, '.')}@example.org`;
  const { access_token } = await createClient(url).post('/auth/register', { email, password, name, role });
  const session = await fetchRefreshToken(url, { email, password }, user_agent);
  return { api: createClient(url, access_token as string), session, email };
}

/** Begins two tests for science, and completes one. */
async function createVolunteers(url: string) {
  const api = createClient(url);
  const start = () => api.post('/volunteers', { agreed_version: '1.0' });
  const [begun, complete] = [await start(), await start()];
  const choose = simulatePerson(1);
  for (let item = complete.next_item; item;) {
    const { item_id } = item;
    const option = choose(item_id);
    ({ next_item: item } = await api.post(`/volunteers/${complete.code}/answers`, { item_id, option }));
  }
  return { begun_test: begun.code as string, complete_test: complete.code as string };
}

async function verifyEmail({ database }: Platform, email: string): Promise<void> {
  await database.run(sql`update users set email_verified_at = created_at where email = ${email}`);
}

async function registerVerified(url: string, platform: Platform, name: string): Promise<Registered> {
  const registered = await register(url, name, 'member');
  const { database } = platform;
  const { email } = registered;
  await verifyEmail(platform, email);
  await database.run(
    sql`update members set email_verified = true where id = (select member_id from users where email = ${email})`,
  );
  await agree(registered.api, 'assessment_data');
  return registered;
}

/** Lets an organisation become interested in a member, and lets the reasons be written. @returns the ids of the match, and of a job with a person to review. */
async function matchWithJob(
  member: Client,
  org: Client,
  runTasks: () => Promise<unknown>,
): Promise<{ readonly match: string; readonly job: string }> {
  const job = await org.post('/orgs/me/jobs', {
    title: 'Community nurse',
    outcome_description:
      'People who are ill at home are cared for in time, and their families know what comes next.',
    trait_priorities: { empathic_attunement: 1, collaborative_orientation: 1, discretion: 0.6 },
    remote_policy: 'onsite',
    constraints: { location_countries: ['AU'], location_states: ['NSW'] },
    salary_min: 78_000,
    salary_max: 96_000,
    salary_currency: 'AUD',
  });
  const other = await org.post('/orgs/me/jobs', {
    title: 'Ward coordinator',
    outcome_description: 'Every bed has somebody who knows why.',
    trait_priorities: { empathic_attunement: 0.8, collaborative_orientation: 0.8, discretion: 0.8 },
    constraints: { years_experience_min: 5, location_countries: ['AU'] },
  });
  const id = await waitFor(runTasks, async () => {
    const { data } = await member.get('/members/me/matches');
    const found = data.find(({ job_title }: { job_title: string }) => job_title === job.title);
    return data.length > 1 ? (found?.id as string | undefined) : undefined;
  });
  await org.put(`/matches/${id}/status`, { status: 'org_interested', note: 'Come and see the ward.' });
  await waitFor(runTasks, async () => (await member.get(`/matches/${id}/explanation`)).summary_text);
  const { data } = await org.get(`/orgs/me/jobs/${other.id}/matches`);
  await waitFor(runTasks, async () => (await org.get(`/matches/${data[0].id}/explanation`)).summary_text);
  return { match: id, job: other.id as string };
}

/** Runs background tasks until something is there, for at most twenty seconds. */
async function waitFor<Value>(
  runTasks: () => Promise<unknown>,
  find: () => Promise<Value | undefined>,
): Promise<Value> {
  for (let attempts = 0; attempts < 200; attempts++) {
    const found = await find();
    if (found !== undefined) return found;
    await runTasks();
    await pause(100);
  }
  throw new Error('what a persona needs did not appear');
}

async function agree(api: Client, consent_type: string): Promise<void> {
  await api.post('/members/me/consent', { consent_type, granted: true, version: '1.0' });
}

/** Issues a credential that is public and one that is revoked, and lets one category be sold. */
async function issueCredentials(api: Client): Promise<Pick<VisitIds, 'credential' | 'revoked_credential'>> {
  for (const type of ['credential_sharing', 'identity_queries']) await agree(api, type);
  await api.put('/orgs/queries/consent/category', { category: 'archetype', approved: true });
  const { archetype, archetype_family } = await api.get('/members/me/archetype');
  const draft =
    archetype === null
      ? { credential_type: 'trait_attestation', claims: { trait_coverage: 0.9 } }
      : { credential_type: 'archetype_attestation', claims: { archetype_family, archetype } };
  const [credential, revoked] = [
    await api.post('/credentials/issue', draft),
    await api.post('/credentials/issue', {
      credential_type: 'trait_attestation',
      claims: { trait_coverage: 0.65 },
    }),
  ];
  await api.put(`/credentials/${credential.id}/visibility`, { visibility: 'public' });
  await api.post(`/credentials/${revoked.id}/revoke`, { reason: 'Replaced by a newer one.' });
  return { credential: credential.id as string, revoked_credential: revoked.id as string };
}

/** Makes the member's assessment and its result forty days older. */
async function moveResultBack({ database }: Platform, email: string): Promise<void> {
  const { member_id } = await database.one(
    sql<{ member_id: string }>`select member_id from users where email = ${email}`,
  );
  await database.run(sql`
    update assessments set started_at = ${shiftTime('started_at', -40)}, completed_at = ${shiftTime('completed_at', -40)}
    where member_id = ${member_id}`);
  await database.run(sql`
    update trait_vectors set created_at = ${shiftTime('created_at', -40)} where member_id = ${member_id}`);
}

/** Gives the same answer throughout, until the assessment is complete. */
async function answerCarelessly(api: Client): Promise<void> {
  for (;;) {
    let { next_item } = await api.post('/members/me/assessment', { deepen: true });
    if (next_item === null) return;
    while (next_item !== null)
      ({ next_item } = await api.post('/members/me/assessment/answers', {
        item_id: next_item.item_id,
        option: 1,
      }));
  }
}

async function answerSome(api: Client, count: number): Promise<void> {
  let { next_item } = await api.post('/members/me/assessment', {});
  for (let answered = 0; answered < count; answered++) {
    const answer = { item_id: next_item.item_id, option: answered % 2 };
    ({ next_item } = await api.post('/members/me/assessment/answers', answer));
  }
}
