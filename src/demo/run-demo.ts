import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createSeededRandom } from '@tessera/psychometrics/seeded-random';
import { lookAtMembers } from '#modules/matching/impact';
import { importTemplates } from '#modules/matching/jobs';
import type { Platform } from '#platform/platform.ts';
import { createDemoLink } from '../web/entrance/demo-link.ts';
import { createClient, fetchRefreshToken, type Client, type Json } from './client.ts';
import { sampleDir } from './load-jobs.ts';
import { loadPopulation } from './load-population.ts';
import { receiveWebhooks, type WebhookReceiver } from './receive-webhooks.ts';
import { buyReads } from './buy-reads.ts';
import { connectAgent } from './connect-agent.ts';
import { readMailedToken } from './read-mailed-token.ts';
import { takeAssessment } from './take-assessment.ts';

const password = 'Demo-Password-2026';
const population = 2_000;
const jobs_max = 5;

const print = (line = '') => void process.stdout.write(`${line}\n`);

/** Walks through the main path over the REST API, as an external client would, and prints each step. */
export async function runDemo({
  url,
  app,
}: {
  readonly url: string;
  readonly app: { readonly platform: Platform };
}): Promise<void> {
  const { platform } = app;
  const anonymous = createClient(url);
  const run = randomBytes(3).toString('hex');
  print('This demonstration walks through the main path of Tessera over its own REST API.\n');
  await importOccupations(platform);
  const org = await registerOrganisation(anonymous, platform, `admin-${run}@demo.example`);
  await loadMembers(platform);
  const jobs = await createJobs(org.api);
  const member = await registerMember(anonymous, platform, `ada-${run}@demo.example`);
  await measureMember(member.api);
  await enableMatching(member.api);
  await showShortlists(org.api, jobs);
  const receiver = await receiveWebhooks(org.api);
  const match = await findOwnMatch(org.api, await showMemberMatches(member.api));
  if (match) await agreeOnMatch(org.api, member.api, match);
  const credential = await issueCredential(anonymous, member.api);
  if (match) await showSoldReads(org.api, member.api, match);
  await showWebhooks(receiver, match ? 2 : 0);
  await showAgent(url, member.api);
  showAddresses(url, platform, { emails: [org.email, member.email], credential });
  await showConsoleLinks(url, platform, [
    [member.email, 'Ada Lind, a member'],
    [org.email, 'the recruiter of Harbour Health'],
  ]);
}

async function importOccupations(platform: Platform): Promise<void> {
  const { imported } = await importTemplates(platform, { dir: sampleDir });
  print(`1. Occupations: ${imported} job templates from a small sample in the format of the O*NET database.`);
}

async function registerOrganisation(anonymous: Client, platform: Platform, email: string) {
  const { access_token } = await anonymous.post('/auth/register', {
    email,
    password,
    name: 'Harbour Health',
    role: 'org_admin',
  });
  await anonymous.post('/auth/verify-email', {
    token: await readMailedToken(path.join(platform.config.dataDir, 'mail'), email),
  });
  const api = anonymous.withToken(access_token);
  const { name, tier } = await api.get('/orgs/me');
  print(`2. Organisation: ${name} (${tier}), registered by ${email}, who verifies the address.`);
  return { api, email };
}

async function loadMembers(platform: Platform): Promise<void> {
  print(`3. Population: ${population} synthetic members with complete trait vectors.`);
  await loadPopulation(platform, { members: String(population), jobs: '0', seed: '1' }, process.stdout);
  // The night would come too late for who looks at the form of a job now.
  await platform.database.transaction((tx) => platform.queue.send(tx, lookAtMembers, {}));
}

async function createJobs(org: Client): Promise<readonly Json[]> {
  const { data: templates } = await org.get(`/job-templates?limit=${jobs_max}`);
  print('4. Jobs, with trait priorities from the templates:');
  const jobs: Json[] = [];
  for (const { title, description, trait_priorities } of templates) {
    const job = await org.post('/orgs/me/jobs', {
      title,
      outcome_description: description,
      trait_priorities,
      remote_policy: 'hybrid',
    });
    print(`   ${job.external_id}  ${title}: ${formatTopPriorities(trait_priorities)}`);
    jobs.push(job);
  }
  return jobs;
}

function formatTopPriorities(priorities: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(priorities).sort(([, one], [, other]) => other - one);
  return sorted
    .slice(0, 3)
    .map(([code, priority]) => `${code} ${priority}`)
    .join(', ');
}

async function registerMember(anonymous: Client, platform: Platform, email: string) {
  const { access_token } = await anonymous.post('/auth/register', {
    email,
    password,
    name: 'Ada Lind',
    role: 'member',
  });
  const api = anonymous.withToken(access_token);
  await anonymous.post('/auth/verify-email', {
    token: await readMailedToken(path.join(platform.config.dataDir, 'mail'), email),
  });
  await api.post('/members/me/consent', {
    consent_type: 'assessment_data',
    granted: true,
    version: '1.0',
  });
  const { engagement_level, name } = await api.get('/members/me/engagement');
  print(
    `5. Member: Ada Lind verifies her email address and consents to the assessment: engagement level ${engagement_level}, ${name}.`,
  );
  return { api, email };
}

async function measureMember(member: Client): Promise<void> {
  print('6. Adaptive assessment, with every answer sent through the API:');
  const leaning = {
    empathic_attunement: 1.6,
    collaborative_orientation: 1.4,
    fair_dealing: 1.2,
    pressure_response: 1.2,
    recovery_resilience: 1.2,
    autonomy_drive: -1,
  };
  const random = createSeededRandom(7);
  const first = await takeAssessment(member, 'first', leaning, random);
  const { name, certainty } = await member.get('/members/me/archetype');
  print(
    `   ${first} items; the preliminary archetype: ${name} (certainty ${certainty}). Ada goes on, to be more certain:`,
  );
  const items = await takeAssessment(member, 'deepening', leaning, random);
  const { traits, categorical_traits, overall_confidence } = await member.get('/members/me/traits');
  print(
    `   ${items} items; overall confidence ${overall_confidence.toFixed(2)}. Only Ada can see these values:`,
  );
  const mostMarked = traits
    .toSorted((one: Json, other: Json) => Math.abs(other.score - 0.5) - Math.abs(one.score - 0.5))
    .slice(0, 5);
  for (const { trait_name, score, lower_bound, upper_bound } of mostMarked)
    print(
      `   ${trait_name.padEnd(26)} ${score.toFixed(2)}  (95 % between ${lower_bound.toFixed(2)} and ${upper_bound.toFixed(2)})`,
    );
  for (const { trait_name, primary } of categorical_traits) print(`   ${trait_name.padEnd(26)} ${primary}`);
}

async function enableMatching(member: Client): Promise<void> {
  await member.post('/members/me/consent', { consent_type: 'matching', granted: true, version: '1.2' });
  const profile = {
    current_industry: 'health',
    years_experience: 6,
    education_level: 'bachelors',
    location_country: 'AU',
    location_state: 'NSW',
  };
  const { engagement_level } = await member.put('/members/me/profile', profile);
  print(
    `7. Ada consents to matching and completes her profile: engagement level ${engagement_level}, Deployed.`,
  );
}

async function showShortlists(org: Client, jobs: readonly Json[]): Promise<void> {
  print('8. Shortlists, computed over all members. Organisations see tiers, never a number about a member:');
  for (const { id, title } of jobs) {
    const { task_id } = await org.post(`/orgs/me/jobs/${id}/recompute-matches`);
    await waitForTask(org, task_id);
    const counts = await Promise.all(
      ['exceptional', 'strong', 'moderate', 'developing'].map((tier) => countMatches(org, id, tier)),
    );
    print(`   ${title.slice(0, 48).padEnd(48)} ${counts.join('  ')}`);
  }
}

async function countMatches(org: Client, job_id: string, tier: string): Promise<string> {
  const { pagination } = await org.get(`/orgs/me/jobs/${job_id}/matches?quality=${tier}&limit=1`);
  return `${tier} ${String(pagination.total_count).padStart(4)}`;
}

async function waitForTask(api: Client, task_id: string): Promise<void> {
  for (let attempts = 0; attempts < 600; attempts++) {
    const { status, error } = await api.get(`/tasks/${task_id}`);
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error(error);
    await pause(100);
  }
  throw new Error(`task ${task_id} did not finish within a minute`);
}

async function showMemberMatches(member: Client): Promise<readonly Json[]> {
  const { data } = await member.get('/members/me/matches');
  print(
    data.length > 0
      ? '9. The matches that Ada sees:'
      : '9. None of these jobs fits Ada better than average, so no match is stored.',
  );
  for (const { job_title, org_name, match_tier, confidence_level } of data)
    print(`   ${match_tier.padEnd(12)} ${job_title} at ${org_name} (confidence ${confidence_level})`);
  return data;
}

/** Finds the first of Ada's matches with a job of this organisation: an earlier run of the demonstration has left jobs of another one. */
async function findOwnMatch(org: Client, matches: readonly Json[]): Promise<Json> {
  for (const match of matches) {
    const isOwn = await org.get(`/matches/${match['id']}`).then(
      () => true,
      () => false,
    );
    if (isOwn) return match;
  }
  return undefined;
}

/** Shows the explanation of a match, and then both sides agree to it. */
async function agreeOnMatch(org: Client, member: Client, { id, job_title }: Json): Promise<void> {
  const explanation = await fetchExplanation(member, id);
  print(`10. The explanation of ${job_title}, as Ada reads it:`);
  print(`   ${explanation.summary_text}`);
  for (const words of explanation.top_strengths) print(`   + ${words}`);
  for (const words of explanation.growth_areas) print(`   ~ ${words}`);
  const job = await member.get(`/matches/${id}/job`);
  const before = await org.get(`/matches/${id}`);
  await org.put(`/matches/${id}/status`, {
    status: 'org_interested',
    note: 'We would like to show you the ward.',
  });
  const { match_status } = await member.post(`/matches/${id}/response`, {
    decision: 'accept',
    note: 'Please call after five in the afternoon.',
  });
  print(`11. Harbour Health is interested and Ada accepts: the match status is ${match_status}.`);
  const after = await org.get(`/matches/${id}`);
  print(
    `   Harbour Health knew her only by an alias for this job, ${before.member_id}, and now as ${after.member_id}.`,
  );
  print(`   Ada knew before that this reveals her ${job.acceptance.organisation_receives.join(', ')}.`);
  await showContact('Ada', member, id);
  await showContact('Harbour Health', org, id);
}

/** Shows how one side of a match reaches the other. */
async function showContact(reader: string, api: Client, match_id: string): Promise<void> {
  const contact = await api.get(`/matches/${match_id}/contact`);
  print(`   GET /matches/{match_id}/contact, as ${reader} reads it:`);
  for (const [side, fields] of Object.entries(contact)) print(`      ${side}: ${JSON.stringify(fields)}`);
}

async function fetchExplanation(member: Client, match_id: string): Promise<Json> {
  const first = await member.get(`/matches/${match_id}/explanation`);
  if (first.task_id === undefined) return first;
  await waitForTask(member, first.task_id);
  return member.get(`/matches/${match_id}/explanation`);
}

/** Ada issues a credential about herself and makes it public, and an anonymous caller verifies it. */
async function issueCredential(anonymous: Client, member: Client): Promise<string> {
  const { archetype_family, name } = await member.get('/members/me/archetype');
  const { id, formats } = await member.post('/credentials/issue', {
    attestation_tier: 'self_attested',
    ...(archetype_family
      ? { credential_type: 'archetype_attestation', claims: { archetype_family } }
      : { credential_type: 'trait_attestation', claims: { trait_coverage: 1 } }),
  });
  await member.post('/members/me/consent', {
    consent_type: 'credential_sharing',
    granted: true,
    version: '1.0',
  });
  await member.put(`/credentials/${id}/visibility`, { visibility: 'public' });
  const { valid, checks } = await anonymous.get(`/credentials/verify?token=${formats.attestation_token}`);
  const passed = Object.keys(checks).filter((name) => checks[name] === 'passed');
  const content = archetype_family
    ? `archetype family ${archetype_family}`
    : `all traits measured, because the archetype is not certain (${name})`;
  print(`12. Ada’s credential: ${content}, self-attested, in ${Object.keys(formats).length} signed forms.`);
  print(
    `   An anonymous caller verifies it: ${valid ? 'valid' : 'not valid'} (passed: ${passed.join(', ')}).`,
  );
  return id;
}

/** Harbour Health reads Ada's trait profile, first free and then for a payment, and Ada sees what she has earned. */
async function showSoldReads(org: Client, member: Client, match: Json): Promise<void> {
  const { member_id } = await org.get(`/matches/${match.id}`);
  const { price, result, earnings } = await buyReads(org, member, member_id);
  const { member_pseudonym, archetype, trait_tiers } = result.data;
  print(`13. Ada allows paid reads of her trait profile. Harbour Health reads it for nothing.`);
  print(`   It buys another read on the mock rail, for USD ${price}, three quarters of which go to Ada:`);
  print(`   ${member_pseudonym}, archetype ${archetype}; ${formatLabels(trait_tiers)}`);
  print(
    `14. Ada’s Identity Income: USD ${earnings.total_earned}, of which ${earnings.pending_amount} are in the payout hold, from ${earnings.transaction_count} paid read; ${earnings.recognition_count} free read earned recognition.`,
  );
}

function formatLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, label]) => `${name} ${label}`)
    .join(', ');
}

async function showWebhooks(receiver: WebhookReceiver, expected: number): Promise<void> {
  const received = await receiver.waitForEvents(expected);
  receiver.close();
  print(
    `15. Webhooks that Harbour Health’s server received, with valid signatures: ${received.join(', ') || 'none'}.`,
  );
}

/** An agent acts for Ada over MCP, within what she has allowed, and no longer. */
async function showAgent(url: string, member: Client): Promise<void> {
  const { tools, profile, statusAfterwards } = await connectAgent(url, member);
  print(
    `16. An AI agent connects to ${url}/mcp. Ada allows two of the three tools that it asks for: ${tools.join(', ')}.`,
  );
  print(
    `   It calls read_profile over MCP: ${profile.display_name}, engagement level ${profile.engagement_level}.`,
  );
  print(`   Ada disconnects it, and the same call with the same token gets status ${statusAfterwards}.`);
}

type DemoResult = { readonly emails: readonly string[]; readonly credential: string };

function showAddresses(url: string, { config }: Platform, { emails, credential }: DemoResult): void {
  print('\nThe service runs until you press Ctrl-C. Where to look:');
  print(`   ${url}/docs            API reference, to read and try`);
  print(`   ${url}/openapi.json    the API as an OpenAPI document`);
  print(`   ${url}/verify/${credential}   public page of the credential`);
  print(`   http://${config.internalHost}:${config.internalPort}/metrics   metrics for Prometheus`);
  print(`   ${path.join(config.dataDir, 'mail')}   all emails that were sent`);
  print(
    `   To log in, POST to ${url}/api/v1/auth/login as ${emails.join(' or ')} with the password ${password}\n`,
  );
}

/** Prints links that open the console without a login. Each works once; two browsers keep the two users apart. */
async function showConsoleLinks(
  url: string,
  platform: Platform,
  users: readonly (readonly [email: string, who: string])[],
): Promise<void> {
  print('The console, already logged in (each link works once; use two browsers or a private window):');
  for (const [email, who] of users)
    print(`   ${createDemoLink(platform, await fetchRefreshToken(url, { email, password }))}   as ${who}`);
  print();
}
