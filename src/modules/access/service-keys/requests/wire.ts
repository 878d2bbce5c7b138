import { Type } from 'typebox';
import { closedObject, field, nullable, timestamp, toReply, uuid } from '#platform/schema.ts';
import type { KeyRequest } from './rules.ts';

const keyRequestWire = closedObject(
  {
    id: field(
      uuid,
      'The id of the request, which its reply had in X-Request-Id.',
      '4f9d1c2b-7a6e-4d35-9c80-1b2a3f4e5d6c',
    ),
    at: field(timestamp, 'When the reply was sent.', '2026-03-10T09:30:00.000Z'),
    method: field(Type.String(), 'The method.', 'GET'),
    path: field(
      nullable(Type.String()),
      'The path as this reference writes it, without the ids of the request; null if there is no such path.',
      '/orgs/me/jobs/{job_id}',
    ),
    status: field(Type.Integer(), 'The HTTP status of the reply.', 404),
    code: field(nullable(Type.String()), 'The code of the refusal; null if it was none.', 'job_not_found'),
    duration_ms: field(Type.Integer(), 'How long the reply took, in milliseconds.', 4),
  },
  { $id: 'ServiceKeyRequest' },
);

/** The recent requests by a service key, the newest first. */
export const keyRequestsWire = closedObject(
  { data: Type.Array(keyRequestWire, { maxItems: 100 }) },
  { $id: 'ServiceKeyRequests' },
);

export function toRequestWire({ id, at, method, path, status, code, duration_ms }: KeyRequest) {
  return toReply(keyRequestWire, { id, at, method, path, status, code, duration_ms });
}
