import type { Refusal } from '#lib/refusal.ts';
import type { ErrorReply } from '#platform/http/service-key-rows.ts';

/** What Ashby distinguishes by status: who calls, how often, and a candidate who is being assessed already. */
const kept_statuses: ReadonlySet<number> = new Set([401, 403, 404, 429]);

/** Writes a refusal for Ashby, which shows the message of status 422 to its user, and reads 409 as a candidate who is being assessed already. */
export function buildAshbyError({ code, status, message, extras }: Refusal): ErrorReply {
  return {
    status: selectStatus(code, status),
    headers: { ...extras.headers, ...(status === 401 && { 'www-authenticate': 'Basic realm="tessera"' }) },
    body: { success: false, errors: [code], message },
  };
}

function selectStatus(code: Refusal['code'], status: number): number {
  if (code === 'invitation_exists') return 409;
  return status >= 500 || kept_statuses.has(status) ? status : 422;
}
