import { createServer, type IncomingMessage } from 'node:http';
import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import pg from 'pg';
import { sendToParent, waitForMessages } from './parent.ts';
import { getPort } from './ports.ts';

/** The parent's first message. */
export type BareWritesSetup = {
  readonly settings: pg.PoolConfig;
  /** The reply to each write, so that replies are as long as those of the service. */
  readonly replies: Readonly<Record<WriteName, BareReply>>;
  readonly credential: BareCredential;
};

export type BareReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The signed forms of every credential, the status list of all of them, and the key that signs as many texts as the service does. */
export type BareCredential = {
  readonly status_list_id: string;
  readonly forms: readonly string[];
  readonly private_key_pem: string;
};

export type WriteName =
  | 'createJob'
  | 'updateJob'
  | 'updateOrganisation'
  | 'updateProfile'
  | 'setPreferences'
  | 'recordConsent'
  | 'setMatchStatus'
  | 'issueCredential';

type Body = Readonly<Record<string, unknown>>;
/** Runs a named statement. */
type Run = (name: string, text: string, values: readonly unknown[]) => Promise<unknown>;
/** Writes the rows of one request. `ids` are the parts of the path after the name. */
type Write = (run: Run, ids: readonly string[], body: Body) => Promise<void>;

/**
 * Writes the rows that the service writes, each with one plain statement. It checks, locks and reads nothing; what the service reads or computes
 * is constant or in the request.
 */
const writes: Readonly<Record<WriteName, Write>> = {
  createJob: async (run, [user_id, org_id], body) => {
    const [job_id, now] = [randomUUID(), new Date()];
    await run(
      'job',
      `insert into jobs (id, org_id, title, outcome_description, status, clearance_required, remote_policy, trait_priorities,
         constraints, salary_min, salary_max, salary_currency, created_at)
       values ($1, $2, $3, $4, 'active', 'none', 'hybrid', $5, '{}', null, null, null, $6)`,
      [
        job_id,
        org_id,
        body['title'],
        body['outcome_description'],
        JSON.stringify(body['trait_priorities']),
        now,
      ],
    );
    await run('job-title', 'insert into job_titles (job_id, org_id, title) values ($1, $2, $3)', [
      job_id,
      org_id,
      body['title'],
    ]);
    await insertVersion(run, [job_id, org_id], body, now);
    await run('follower', 'insert into job_followers (job_id, user_id) values ($1, $2)', [job_id, user_id]);
    await insertEvent(run, 'job.created', { job_id, org_id }, now);
    await insertTask(run, 'matches.computeJobMatches', { job_id, org_id }, org_id, job_id);
    await insertAudit(run, 'jobs.created', ['org_admin', user_id, null, org_id], { job_id }, now);
  },
  updateJob: async (run, [user_id, org_id, job_id], body) => {
    const now = new Date();
    await run('update-job', 'update jobs set title = $2, trait_priorities = $3 where id = $1', [
      job_id,
      body['title'],
      JSON.stringify(body['trait_priorities']),
    ]);
    await insertVersion(run, [job_id, org_id], body, now);
    await run('rename-job', 'update job_titles set title = $2 where job_id = $1', [job_id, body['title']]);
    await insertEvent(run, 'job.changed', { job_id, org_id }, now);
    await insertTask(run, 'matches.computeJobMatches', { job_id, org_id }, org_id, job_id);
    const detail = { job_id, fields: 'title, trait_priorities' };
    await insertAudit(run, 'jobs.updated', ['org_admin', user_id, null, org_id], detail, now);
  },
  updateOrganisation: async (run, [user_id, org_id], body) => {
    await run('organisation', 'update organisations set name = $2 where id = $1', [org_id, body['name']]);
    const actor = ['org_admin', user_id, null, org_id];
    await insertAudit(run, 'orgs.profile_updated', actor, { fields: 'name' }, new Date());
  },
  updateProfile: async (run, [, member_id], body) => {
    const now = new Date();
    await run(
      'profile',
      `update members set current_industry = $2, years_experience = $3, education_level = $4, location_country = $5, location_state = null
       where id = $1`,
      [
        member_id,
        body['current_industry'],
        body['years_experience'],
        body['education_level'],
        body['location_country'],
      ],
    );
    await insertEvent(run, 'member.changed', { member_id }, now);
    await insertTask(run, 'matches.computeMemberMatches', { member_id }, null, member_id);
  },
  setPreferences: async (run, [, member_id], body) => {
    const now = new Date();
    await run(
      'preferences',
      `insert into matching_preferences (member_id, clearance_held, remote_policies, salary_min, salary_currency, "values", updated_at)
       values ($1, 'baseline', $2, $3, 'AUD', null, $4)
       on conflict (member_id) do update set clearance_held = excluded.clearance_held, remote_policies = excluded.remote_policies,
         salary_min = excluded.salary_min, salary_currency = excluded.salary_currency, "values" = excluded."values",
         updated_at = excluded.updated_at`,
      [member_id, body['remote_policies'], body['salary_min'], now],
    );
    await insertEvent(run, 'member.changed', { member_id }, now);
    await insertTask(run, 'matches.computeMemberMatches', { member_id }, null, member_id);
  },
  recordConsent: async (run, [user_id, member_id], body) => {
    const now = new Date();
    await run(
      'consent',
      `insert into consent_records (id, member_id, consent_type, granted, version, created_at) values ($1, $2, $3, $4, $5, $6)`,
      [randomUUID(), member_id, body['consent_type'], body['granted'], body['version'], now],
    );
    const detail = { consent_type: body['consent_type'], version: body['version'] };
    await insertAudit(run, 'consent.granted', ['member', user_id, member_id, null], detail, now);
  },
  setMatchStatus: async (run, [user_id, org_id, job_id, match_id, member_id], body) => {
    const now = new Date();
    const status = body['status'];
    await run('match', 'update matches set match_status = $3 where job_id = $1 and id = $2', [
      job_id,
      match_id,
      status,
    ]);
    await run(
      'member-match',
      'update member_matches set match_status = $3 where member_id = $1 and match_id = $2',
      [member_id, match_id, status],
    );
    await run(
      'contact',
      `insert into match_contacts (job_id, match_id, contact_user_id) values ($1, $2, $3)
       on conflict (job_id, match_id) do update set organisation_note = excluded.organisation_note`,
      [job_id, match_id, user_id],
    );
    await insertEvent(run, 'match.proposed', { match_id, job_id, org_id, member_id }, now);
    await insertTask(run, 'notifications.notifyMember', { match_id, member_id }, member_id, undefined);
    const detail = { match_id, from: 'pending_review', to: body['status'] };
    await insertAudit(run, 'matching.status_changed', ['org_admin', user_id, null, org_id], detail, now);
  },
  issueCredential: async (run, [user_id, member_id], body) => {
    const [id, now] = [randomUUID(), new Date()];
    const expires_at = new Date(now.getTime() + 365 * 86_400_000);
    for (const form of credential.forms) sign('sha256', Buffer.from(form), privateKey);
    await run(
      'credential',
      `insert into credentials (id, member_id, credential_type, attestation_tier, claims, issued_at, expires_at, status_list_id, status_index,
         vc_jwt, sd_jwt_vc, attestation_token)
       values ($1, $2, 'trait_attestation', 'self_attested', $10, $3, $4, $5, $6, $7, $8, $9)`,
      [
        id,
        member_id,
        now,
        expires_at,
        credential.status_list_id,
        nextIndex++,
        ...credential.forms,
        JSON.stringify(body['claims']),
      ],
    );
    await run('holder', 'insert into credential_holders (credential_id, member_id) values ($1, $2)', [
      id,
      member_id,
    ]);
    const data = {
      credential_id: id,
      member_id,
      credential_type: 'trait_attestation',
      attestation_tier: 'self_attested',
      status: 'active',
      issued_at: now,
      expires_at,
      revoked_at: null,
    };
    await insertEvent(run, 'attestation.issued', data, now);
    const detail = {
      credential_id: id,
      credential_type: 'trait_attestation',
      attestation_tier: 'self_attested',
    };
    await insertAudit(run, 'credentials.issued', ['member', user_id, member_id, null], detail, now);
  },
};

let credential: BareCredential;
let privateKey: KeyObject;
let nextIndex = 0;

async function insertEvent(run: Run, type: string, data: object, now: Date): Promise<void> {
  await run('event', 'insert into events (id, type, data, created_at) values ($1, $2, $3, $4)', [
    randomUUID(),
    type,
    JSON.stringify(data),
    now,
  ]);
}

/** Inserts the row of a task. */
async function insertTask(
  run: Run,
  name: string,
  data: object,
  group_id: string | null | undefined,
  merge_key: string | undefined,
): Promise<void> {
  await run(
    'task',
    `insert into tasks (id, name, data, status, due_at, group_id, merge_key, created_at, updated_at)
     values ($1, $2, $3, 'queued', $4, $5, $6, $4, $4)`,
    [randomUUID(), name, JSON.stringify(data), new Date(), group_id ?? '', merge_key],
  );
}

async function insertAudit(
  run: Run,
  action: string,
  [actor_role, actor_user_id, member_id, org_id]: readonly (string | null | undefined)[],
  detail: object,
  now: Date,
): Promise<void> {
  await run(
    'audit',
    `insert into audit_log (id, action, actor_user_id, actor_role, member_id, org_id, detail, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [randomUUID(), action, actor_user_id, actor_role, member_id, org_id, JSON.stringify(detail), now],
  );
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString()) as Body;
}

/**
 * The simplest server that writes the same rows: node:http, pg, and a transaction with one named statement for each row. `/<write>/<ids>`
 * writes the rows of a request.
 */
process.once('message', (setup: BareWritesSetup) => {
  credential = setup.credential;
  privateKey = createPrivateKey(credential.private_key_pem);
  const pool = new pg.Pool({ ...setup.settings, max: 10 });
  const write = async (name: WriteName, ids: readonly string[], body: Body) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await writes[name](
        (statement, text, values) => client.query({ name: statement, text, values: values as unknown[] }),
        ids,
        body,
      );
      await client.query('commit');
    } finally {
      client.release();
    }
  };
  const server = createServer((request, response) => {
    const [, name, ...ids] = request.url!.split('/') as [string, WriteName, ...string[]];
    const { status, headers, body } = setup.replies[name];
    readBody(request)
      .then((given) => write(name, ids, given))
      .then(
        () => response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  // Its slices alternate with those of other subjects, and Node would close idle connections after five seconds.
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1', () => sendToParent(getPort(server)));
});
waitForMessages();

/** As much as the service stores with each version. */
const versionTerms = {
  clearance_required: 'none',
  remote_policy: 'hybrid',
  constraints: {},
  salary_min: null,
  salary_max: null,
  salary_currency: null,
  occupation_code: null,
};

async function insertVersion(
  run: Run,
  [job_id, org_id]: readonly (string | undefined)[],
  body: Body,
  now: Date,
): Promise<void> {
  await run(
    'version',
    `insert into job_versions (job_id, version, org_id, trait_priorities, terms, narrow_trait, created_at)
     values ($1, 1 + (random() * 2000000000)::integer, $2, $3, $4, null, $5)`,
    [job_id, org_id, JSON.stringify(body['trait_priorities']), JSON.stringify(versionTerms), now],
  );
}
