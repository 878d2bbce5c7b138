import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUpAfterFile } from '../clean-up.ts';
import type { TestApp } from '../harness.ts';
import { createColleague } from '../colleague.ts';
import { createEmail, type TestOrgUser } from '../users.ts';
import { createJob } from './jobs.ts';
import { createServiceKey } from './service-keys.ts';

/** What a simulated system shows its recruiter about one candidate. */
export type PartnerView = {
  readonly status: string;
  readonly tier: string | undefined;
  readonly link: string | undefined;
};

/** A simulated applicant tracking system: it calls the real server of Tessera over HTTP, and is called back over HTTP. */
export type TestPartner = {
  readonly name: 'greenhouse' | 'ashby';
  readonly origin: string;
  readonly org: TestOrgUser;
  /** Sends or starts an assessment; the same `name` is the same order of the system. @returns the id that Tessera gave. */
  readonly send: (order: { name: string; job_id: string; email: string }) => Promise<PartnerReply>;
  /** What the recruiter sees of an order. */
  readonly readView: (id: string) => PartnerView;
  readonly cancel: (id: string) => Promise<PartnerReply>;
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    authorization?: string,
  ) => Promise<PartnerReply>;
  /** Requests of Tessera that the contract does not allow. A test ends with none. */
  readonly faults: string[];
  /** Every text that the system ever got, so that a test can search it. */
  readonly received: string[];
  /** How many of the next requests find a connection that is cut. */
  cuts: number;
};

export type PartnerReply = {
  readonly status: number;
  // Tests read replies of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
};

const system_key = 'key-of-the-organisation-at-the-system';
export const systemCredentials = `Basic ${Buffer.from(`${system_key}:`).toString('base64')}`;

const servers = new WeakMap<TestApp, Promise<string>>();

/** The address of the real server of an app, which listens from the first call on. */
export function listen(app: TestApp): Promise<string> {
  const known = servers.get(app) ?? app.server.listen({ host: '127.0.0.1', port: 0 });
  servers.set(app, known);
  return known;
}

/** Connects a simulated system to an organisation, by a service key and the key of the organisation at the system. */
async function connect(
  app: TestApp,
  name: TestPartner['name'],
  answer: (partner: TestPartner, request: { method: string; path: string; body: string }) => Promise<number>,
  existing: TestOrgUser | undefined,
): Promise<TestPartner> {
  const org = existing ?? (await app.registerOrgAdmin());
  const base = await listen(app);
  const { key } = await createServiceKey(app, org.token, {
    name,
    permissions: [`PARTNER /partners/${name}`],
  });
  const received: string[] = [];
  const call: TestPartner['call'] = async (method, path, body, authorization) => {
    const response = await fetch(`${base}/partners/${name}/${path}`, {
      method,
      headers: {
        authorization: authorization ?? `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    received.push(text);
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    if (partner.cuts-- > 0) return void request.socket.destroy();
    received.push(body);
    if (request.headers.authorization !== systemCredentials) return void response.writeHead(401).end();
    const { method = '', url = '' } = request;
    return void response.writeHead(await answer(partner, { method, path: url, body })).end();
  };
  const origin = await open(server);
  const partner: TestPartner = {
    name,
    origin,
    org,
    call,
    faults: [],
    received,
    cuts: 0,
    send: () => Promise.reject(new Error('not a system yet')),
    cancel: () => Promise.reject(new Error('not a system yet')),
    readView: () => ({ status: 'unknown', tier: undefined, link: undefined }),
  };
  const connected = await app.request('PUT', `/orgs/me/partners/${name}`, {
    token: org.token,
    body: { key: system_key, origin },
  });
  if (connected.status !== 200) throw new Error(JSON.stringify(connected.body));
  return partner;
}

async function open(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  cleanUpAfterFile(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Greenhouse, by "Assessment API" of its developer documentation: a PATCH makes it ask for the status, and malformed replies are reported. */
export async function connectGreenhouse(app: TestApp, org?: TestOrgUser): Promise<TestPartner> {
  const ids = new Map<string, string>();
  const views = new Map<string, PartnerView>();
  const askStatus = async (partner: TestPartner, id: string) => {
    const { status, body } = await partner.call('GET', `test_status?partner_interview_id=${id}`);
    const errors = status === 200 ? checkStatus(body) : [`status ${status}`];
    partner.faults.push(...errors);
    if (errors.length > 0) await partner.call('POST', 'response_error', { api_call: 'test_status', errors });
    views.set(id, {
      status: body.partner_status,
      tier: body.metadata?.Tier,
      link: body.partner_profile_url ?? undefined,
    });
  };
  const answer = async (
    partner: TestPartner,
    { method, path, body }: { method: string; path: string; body: string },
  ) => {
    const id = ids.get(path);
    if (method !== 'PATCH' || id === undefined || body !== '') {
      partner.faults.push(`${method} ${path} ${body}`);
      return 404;
    }
    await askStatus(partner, id);
    return 200;
  };
  const partner = await connect(app, 'greenhouse', answer, org);
  return Object.assign(partner, {
    send: async ({ name, job_id, email }: { name: string; job_id: string; email: string }) => {
      const path = `/integrations/testing_partners/take_home_tests/${name}`;
      const reply = await partner.call('POST', 'send_test', {
        partner_test_id: job_id,
        candidate: {
          first_name: 'Harry',
          last_name: 'Potter',
          preferred_name: 'Harry',
          resume_url: 'https://hogwarts.example/resume',
          phone_number: '123-456-7890',
          email,
          greenhouse_profile_url: 'https://app.greenhouse.io/people/17681532?application_id=26234709',
        },
        sent_by: 'recruiter@example.org',
        url: partner.origin + path,
      });
      if (reply.status === 200) {
        const id = String(reply.body.partner_interview_id);
        ids.set(path, id);
        if (!views.has(id)) await askStatus(partner, id);
      }
      return reply;
    },
    readView: (id: string) => views.get(id) ?? { status: 'unknown', tier: undefined, link: undefined },
  });
}

/** The rules that Greenhouse publishes for a reply to `test_status`. */
function checkStatus(body: PartnerReply['body']): string[] {
  const errors: string[] = [];
  if (typeof body.partner_status !== 'string') errors.push('partner_status is missing');
  if (body.partner_status === 'complete' && typeof body.partner_profile_url !== 'string')
    errors.push('partner_status is complete but partner_profile_url is missing');
  const values = Object.values(body.metadata ?? {});
  if (values.some((value) => typeof value === 'object')) errors.push('metadata is nested');
  const known = new Set(['partner_status', 'partner_profile_url', 'partner_score', 'metadata']);
  errors.push(...Object.keys(body).filter((name) => !known.has(name)));
  return errors;
}

/** Ashby, by the reference of its assessment endpoints: `assessment.update` with a result completes an assessment, and with a reason cancels it. */
export async function connectAshby(app: TestApp, org?: TestOrgUser): Promise<TestPartner> {
  const views = new Map<string, PartnerView>();
  const answer = async (
    partner: TestPartner,
    { method, path, body }: { method: string; path: string; body: string },
  ) => {
    const update = JSON.parse(body);
    const errors =
      method === 'POST' && path === '/assessment.update' ? checkUpdate(update) : [`${method} ${path}`];
    partner.faults.push(...errors);
    if (!views.has(update.assessment_id)) errors.push('an unknown assessment');
    if (errors.length > 0) return 400;
    views.set(update.assessment_id, {
      status: update.cancelled_reason ? 'cancelled' : update.assessment_status.value,
      // A cancelled assessment has no result any more.
      tier: update.assessment_result?.value,
      link: update.assessment_profile_url?.value,
    });
    return 200;
  };
  const partner = await connect(app, 'ashby', answer, org);
  return Object.assign(partner, {
    send: async ({ name, job_id, email }: { name: string; job_id: string; email: string }) => {
      const reply = await partner.call('POST', 'assessment.start', {
        assessment_type_id: job_id,
        candidate: {
          ashby_id: 'candidate-1',
          first_name: 'Harry',
          last_name: 'Potter',
          email,
          ashby_profile_url: 'https://app.ashbyhq.com/candidates/1',
        },
        application: { ashby_id: name, status: 'Active' },
        job: {
          ashby_id: 'job-1',
          name: 'Nurse',
          req_id: 'R1',
          ashby_job_url: 'https://app.ashbyhq.com/jobs/1',
        },
      });
      const id = reply.body.results?.assessment_id;
      if (reply.status === 200 && !views.has(id))
        views.set(id, { status: 'sent', tier: undefined, link: undefined });
      return reply;
    },
    cancel: async (id: string) => {
      const reply = await partner.call('POST', 'assessment.cancel', { assessment_id: id });
      if (reply.status === 200) views.set(id, { status: 'cancelled', tier: undefined, link: undefined });
      return reply;
    },
    readView: (id: string) => views.get(id) ?? { status: 'unknown', tier: undefined, link: undefined },
  });
}

const shown = ['assessment_status', 'assessment_profile_url', 'assessment_result', 'cancelled_reason'];
const shownTypes = new Set(['numeric_score', 'numeric_duration_minutes', 'url', 'string', 'boolean_success']);

/** The rules that Ashby publishes for the body of `assessment.update`. */
function checkUpdate(update: PartnerReply['body']): string[] {
  const errors: string[] = [];
  if (!Number.isInteger(update.timestamp)) errors.push('timestamp is no integer');
  if (!update.assessment_status && !update.cancelled_reason) errors.push('assessment_status is missing');
  if (update.assessment_result && update.assessment_profile_url?.type !== 'url')
    errors.push('assessment_profile_url is missing');
  const values = [...shown.map((name) => update[name]).filter(Boolean), ...(update.metadata ?? [])];
  for (const { identifier, label, type, value } of values)
    if (!identifier || !label || !shownTypes.has(type) || value === undefined)
      errors.push(`${identifier} ${type}`);
  const identifiers = values.map(({ identifier }) => identifier);
  if (new Set(identifiers).size < identifiers.length) errors.push('identifiers are repeated');
  const known = new Set(['assessment_id', 'timestamp', 'metadata', ...shown]);
  errors.push(...Object.keys(update).filter((name) => !known.has(name)));
  return errors;
}

/** The statuses of a request of a system without a key, with a wrong one, with one that is not permitted, and with the token of a person. */
export async function listStrangerStatuses(
  app: TestApp,
  partner: TestPartner,
  ...[method, path, body]: [method: string, path: string, body?: unknown]
): Promise<readonly number[]> {
  const other = await createServiceKey(app, partner.org.token);
  const viewer = await createColleague(app, partner.org.org_id);
  const member = await app.registerMember();
  const credentials = [
    '',
    'Bearer tsk_wrong',
    `Bearer ${other.key}`,
    `Bearer ${partner.org.token}`,
    `Bearer ${viewer.token}`,
    `Bearer ${member.token}`,
  ];
  const replies = [];
  for (const each of credentials) replies.push((await partner.call(method, path, body, each)).status);
  return replies;
}

/** What {@link listStrangerStatuses} returns for every request of a system. */
export const strangerStatuses = [401, 401, 403, 403, 403, 403];

/** A system with an order of an address that has no account. */
export async function createOrder(app: TestApp, partner: TestPartner, name = 'order-1') {
  const { id: job_id, title } = await createJob(app, partner.org.token);
  const order = { name, job_id, email: createEmail() };
  const { status, body } = await partner.send(order);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const id = String(body.partner_interview_id ?? body.results.assessment_id);
  return { ...order, title, id };
}
