import type { Refusal } from '#lib/refusal.ts';
import type { ErrorReply } from '#platform/http/service-key-rows.ts';

/** Writes a refusal for Greenhouse, which publishes statuses alone: 401 for a wrong key, and 404 for what does not exist. */
export function buildGreenhouseError({ code, status, message, extras }: Refusal): ErrorReply {
  return {
    status,
    headers: { ...extras.headers, ...(status === 401 && { 'www-authenticate': 'Basic realm="tessera"' }) },
    body: { code, message, ...(extras.errors && { errors: extras.errors }) },
  };
}
