import type { TestApp } from '../harness.ts';

/** Creates a service key that is permitted to read and create jobs. */
export async function createServiceKey(
  app: TestApp,
  token: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly key: string; readonly hint: string }> {
  const permissions = ['GET /orgs/me/jobs', 'POST /orgs/me/jobs'];
  const body = { name: 'Applicant tracking system', permissions, ...changes };
  const reply = await app.request('POST', '/orgs/me/service-keys', { token, body });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body as { id: string; key: string; hint: string };
}

/** Lists the jobs by a key, and returns the status and the code of the refusal. */
export async function callByKey(app: TestApp, key: string): Promise<readonly [number, string | undefined]> {
  const { status, body } = await app.request('GET', '/orgs/me/jobs', { token: key });
  return [status, body.code as string | undefined];
}

/** Creates a service key of the operator that is permitted to read the health and the audit log. */
export async function createOperatorKey(
  app: TestApp,
  token: string,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly id: string; readonly key: string; readonly hint: string }> {
  const body = { name: 'Monitoring', permissions: ['GET /operator/health', 'GET /audit-log'], ...changes };
  const reply = await app.request('POST', '/operator/service-keys', { token, body });
  if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  return reply.body as { id: string; key: string; hint: string };
}

/** Reads the health by a key of the operator, and returns the status and the code of the refusal. */
export async function callByOperatorKey(
  app: TestApp,
  key: string,
): Promise<readonly [number, string | undefined]> {
  const { status, body } = await app.request('GET', '/operator/health', { token: key });
  return [status, body.code as string | undefined];
}
