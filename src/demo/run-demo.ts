import { randomBytes } from 'node:crypto';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type Client, type Json } from './client.ts';
import { loadPopulation } from './load-population.ts';
import { takeAssessment } from './take-assessment.ts';
import { importTemplates } from '#modules/jobs';
import { createSeededRandom } from '#lib/seeded-random.ts';
import type { Platform } from '#platform/platform.ts';

const publishedDir = path.resolve(import.meta.dirname, '../../../shared/data/onet');
const sampleDir = path.resolve(import.meta.dirname, 'onet-sample');
const password = 'Demo-Password-2026';
const population = 2_000;
const occupations = [
  'Registered Nurses',
  'Software Developers',
  'Secondary School Teachers',
  'Healthcare Social Workers',
  'Air Traffic Controllers',
];

const say = (line = '') => void process.stdout.write(`${line}\n`);

/** Walks the main job aloud, over the REST API as a stranger would use it, on real job data where that is at hand. */
export async function runDemo({
  url,
  app,
}: {
  readonly url: string;
  readonly app: { readonly platform: Platform };
}): Promise<void> {
  const { platform } = app;
  const anyone = createClient(url);
  const run = randomBytes(3).toString('hex');
  say('Tessera: measured fairly, matched with work. This is the main job, over its own REST API.\n');
  await importOccupations(platform);
  const org = await registerOrganisation(anyone, `admin-${run}@demo.example`);
  await loadMembers(platform);
  const jobs = await createJobs(org.api);
  const member = await registerMember(anyone, platform, `ada-${run}@demo.example`);
  await measureMember(member.api);
  await enableMatching(member.api);
  await showShortlists(org.api, jobs);
  const [match] = await showMemberMatches(member.api);
  if (match) await agreeOnMatch(org.api, member.api, match);
  const credential = await issueCredential(anyone, member.api);
  showAddresses(url, platform, { emails: [org.email, member.email], credential });
}

async function importOccupations(platform: Platform): Promise<void> {
  const dir = await access(publishedDir).then(
    () => publishedDir,
    () => sampleDir,
  );
  const { imported } = await importTemplates(platform, { dir });
  say(
    `1. Occupations: ${imported} job templates from ${dir === publishedDir ? 'the O*NET database' : 'our own small sample in O*NET’s format'}.`,
  );
}

async function registerOrganisation(anyone: Client, email: string) {
  const { access_token } = await anyone.post('/auth/register', {
    email,
    password,
    name: 'Harbour Health',
    role: 'org_admin',
  });
  const api = anyone.withToken(access_token);
  const { name, tier } = await api.get('/orgs/me');
  say(`2. Organisation: ${name} (${tier}), registered by ${email}.`);
  return { api, email };
}

async function loadMembers(platform: Platform): Promise<void> {
  say(`3. Population: ${population} made-up members with full trait vectors.`);
  await loadPopulation(platform, { members: String(population), jobs: '0', seed: '1' }, process.stdout);
}

async function createJobs(org: Client): Promise<readonly Json[]> {
  const found = await Promise.all(
    occupations.map((query) => org.get(`/job-templates?query=${encodeURIComponent(query)}&limit=1`)),
  );
  const known: readonly Json[] = found.flatMap(({ data }) => data);
  const templates =
    known.length > 0 ? known : (await org.get(`/job-templates?limit=${occupations.length}`)).data;
  say(`4. Jobs, with trait priorities from the templates:`);
  const jobs: Json[] = [];
  for (const { title, description, trait_priorities } of templates) {
    const job = await org.post('/orgs/me/jobs', {
      title,
      outcome_description: description,
      trait_priorities,
      remote_policy: 'hybrid',
    });
    say(`   ${job.external_id}  ${title}: ${formatTopPriorities(trait_priorities)}`);
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

async function registerMember(anyone: Client, platform: Platform, email: string) {
  const { access_token } = await anyone.post('/auth/register', {
    email,
    password,
    name: 'Ada Lind',
    role: 'member',
  });
  const api = anyone.withToken(access_token);
  await anyone.post('/auth/verify-email', { token: await readMailedToken(platform, email) });
  await api.post('/members/me/consent', {
    consent_type: 'assessment_data',
    granted: true,
    version: '2026-1',
  });
  const { engagement_level, name } = await api.get('/members/me/engagement');
  say(
    `5. Member: Ada Lind, e-mail verified, consents to be measured: engagement level ${engagement_level}, ${name}.`,
  );
  return { api, email };
}

/** Reads the verification mail as its recipient would. */
async function readMailedToken(platform: Platform, email: string): Promise<string> {
  const folder = path.join(platform.config.dataDir, 'mail');
  for (let tries = 0; tries < 100; tries++) {
    for (const name of await readdir(folder).catch(() => [])) {
      const mail = (await readFile(path.join(folder, name), 'utf8')).replace(/=\r?\n/g, '');
      const token = mail.includes(email) ? /token=(?:3D)?([\w-]{20,})/.exec(mail)?.[1] : undefined;
      if (token) return token;
    }
    await pause(100);
  }
  throw new Error(`no verification mail for ${email} came into ${folder}`);
}

async function measureMember(member: Client): Promise<void> {
  say('6. The adaptive assessment, every answer through the API:');
  const leaning = {
    empathic_attunement: 1.6,
    collaborative_orientation: 1.4,
    fair_dealing: 1.2,
    pressure_response: 1.2,
    recovery_resilience: 1.2,
    autonomy_drive: -1,
  };
  const items = await takeAssessment(member, leaning, createSeededRandom(7));
  const { traits, categorical_traits, overall_confidence } = await member.get('/members/me/traits');
  say(`   ${items} items; overall confidence ${overall_confidence.toFixed(2)}. What Ada alone can see:`);
  const telling = traits
    .toSorted((one: Json, other: Json) => Math.abs(other.score - 0.5) - Math.abs(one.score - 0.5))
    .slice(0, 5);
  for (const { trait_name, score, lower_bound, upper_bound } of telling)
    say(
      `   ${trait_name.padEnd(26)} ${score.toFixed(2)}  (95 % between ${lower_bound.toFixed(2)} and ${upper_bound.toFixed(2)})`,
    );
  for (const { trait_name, primary } of categorical_traits) say(`   ${trait_name.padEnd(26)} ${primary}`);
}

async function enableMatching(member: Client): Promise<void> {
  await member.post('/members/me/consent', { consent_type: 'matching', granted: true, version: '2026-1' });
  const profile = {
    current_industry: 'health',
    years_experience: 6,
    education_level: 'bachelors',
    location_country: 'AU',
    location_state: 'NSW',
  };
  const { engagement_level } = await member.put('/members/me/profile', profile);
  say(`7. Ada consents to matching and fills her profile: engagement level ${engagement_level}, Deployed.`);
}

async function showShortlists(org: Client, jobs: readonly Json[]): Promise<void> {
  say('8. Shortlists, exact over everybody; organisations see tiers, never a number about a person:');
  for (const { id, title } of jobs) {
    const { task_id } = await org.post(`/orgs/me/jobs/${id}/recompute-matches`);
    await waitForTask(org, task_id);
    const counts = await Promise.all(
      ['exceptional', 'strong', 'moderate', 'developing'].map((tier) => countMatches(org, id, tier)),
    );
    say(`   ${title.slice(0, 48).padEnd(48)} ${counts.join('  ')}`);
  }
}

async function countMatches(org: Client, job_id: string, tier: string): Promise<string> {
  const { pagination } = await org.get(`/orgs/me/jobs/${job_id}/matches?quality=${tier}&limit=1`);
  return `${tier} ${String(pagination.total_count).padStart(4)}`;
}

async function waitForTask(user: Client, task_id: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { status, error } = await user.get(`/tasks/${task_id}`);
    if (status === 'succeeded') return;
    if (status === 'failed') throw new Error(error);
    await pause(100);
  }
  throw new Error(`task ${task_id} did not finish within a minute`);
}

async function showMemberMatches(member: Client): Promise<readonly Json[]> {
  const { data } = await member.get('/members/me/matches');
  say(
    data.length > 0
      ? '9. What Ada sees:'
      : '9. None of these jobs suits Ada better than average; nothing is stored about it.',
  );
  for (const { job_title, org_name, match_tier, confidence_level } of data)
    say(`   ${match_tier.padEnd(12)} ${job_title} at ${org_name} (confidence ${confidence_level})`);
  return data;
}

/** Both sides say yes to the match that is listed first, once they have read why it is one. */
async function agreeOnMatch(org: Client, member: Client, { id, job_title }: Json): Promise<void> {
  const why = await fetchExplanation(member, id);
  say(`10. Why ${job_title}, in the words that both sides read:`);
  say(`   ${why.summary_text}`);
  for (const words of why.top_strengths) say(`   + ${words}`);
  for (const words of why.growth_areas) say(`   ~ ${words}`);
  await org.put(`/matches/${id}/status`, { status: 'org_interested' });
  const { match_status } = await member.post(`/matches/${id}/response`, { decision: 'accept' });
  say(`11. Harbour Health is interested, and Ada accepts: the match is ${match_status}.`);
}

async function fetchExplanation(member: Client, match_id: string): Promise<Json> {
  const first = await member.get(`/matches/${match_id}/explanation`);
  if (first.task_id === undefined) return first;
  await waitForTask(member, first.task_id);
  return member.get(`/matches/${match_id}/explanation`);
}

/** A credential that Ada issues about herself and shows to everybody, and a stranger who checks it. */
async function issueCredential(anyone: Client, member: Client): Promise<string> {
  const { archetype_family } = await member.get('/members/me/archetype');
  const { id, formats } = await member.post('/credentials/issue', {
    credential_type: 'archetype_attestation',
    attestation_tier: 'self_attested',
    claims: { archetype_family },
  });
  await member.post('/members/me/consent', {
    consent_type: 'credential_sharing',
    granted: true,
    version: '2026-1',
  });
  await member.put(`/credentials/${id}/visibility`, { visibility: 'public' });
  const { valid, checks } = await anyone.get(`/credentials/verify?token=${formats.attestation_token}`);
  const passed = Object.keys(checks).filter((name) => checks[name] === 'passed');
  say(`12. Ada's credential: archetype family ${archetype_family}, self-attested, in three signed forms.`);
  say(`   A stranger checks it: ${valid ? 'valid' : 'not valid'} (${passed.join(', ')} passed).`);
  return id;
}

type DemoResult = { readonly emails: readonly string[]; readonly credential: string };

function showAddresses(url: string, { config }: Platform, { emails, credential }: DemoResult): void {
  say('\nTessera stays up; stop it with Ctrl-C. Where to look:');
  say(`   ${url}/docs            the API, to read and try`);
  say(`   ${url}/openapi.json    its description`);
  say(`   ${url}/verify/${credential}   what everybody sees of the credential`);
  say(`   http://${config.host}:${config.internalPort}/metrics   metrics and health`);
  say(`   ${path.join(config.dataDir, 'mail')}   every mail that was sent`);
  say(`   sign in by POST ${url}/api/v1/auth/login as ${emails.join(' or ')}, password ${password}\n`);
}
