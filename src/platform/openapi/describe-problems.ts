import { refusals, type RefusalCode } from '#lib/refusals.ts';
import { buildProblemSchema } from '#platform/http/problem.ts';
import { listPathFields, isMfaNeeded, type Row } from '#platform/http/row.ts';
import type { Operation } from '#platform/operation.ts';
import type { Schema } from '#platform/openapi/build-sample.ts';
import { describeHeaders, type ResponseHeader } from '#platform/openapi/describe-headers.ts';
import { writeOpenSchema, type Components } from '#platform/openapi/write-schema.ts';

/** Refusals that any request may get from the HTTP server. The lists below are for requests of a certain kind. */
const generalRefusals: readonly RefusalCode[] = [
  'request_malformed',
  'token_invalid',
  'token_expired',
  'too_many_requests',
  'internal_error',
  'account_suspended',
  'organisation_suspended',
  'database_unavailable',
  'overloaded',
  'shutting_down',
];
const signInRefusals: readonly RefusalCode[] = [
  'authentication_required',
  'account_suspended',
  'organisation_suspended',
  'role_not_allowed',
];
/** A path field of more than 200 characters matches no route. */
const pathFieldRefusals: readonly RefusalCode[] = ['route_not_found'];
const bodyRefusals: readonly RefusalCode[] = [
  'body_malformed',
  'body_too_large',
  'body_too_deep',
  'media_type_unsupported',
];
const idempotencyRefusals: readonly RefusalCode[] = [
  'idempotency_key_malformed',
  'idempotency_in_progress',
  'idempotency_key_reused',
];

/** Lists every refusal that a request of this row can get. */
export function listRefusals(row: Row, operation: Operation): readonly RefusalCode[] {
  const { who, refuses, idempotent, etag } = operation;
  return [
    ...generalRefusals,
    ...(who === 'anyone' ? [] : signInRefusals),
    // Every operation refuses unknown query fields, even if it has no input.
    'field_invalid',
    ...(listPathFields(row.path).length > 0 ? pathFieldRefusals : []),
    // A body is read and checked even if the operation does not expect one.
    ...(row.method === 'GET' ? [] : bodyRefusals),
    ...(row.method === 'PUT' ? (['body_missing'] as const) : []),
    ...(idempotent ? idempotencyRefusals : []),
    ...(isMfaNeeded(row, operation) ? (['mfa_required'] as const) : []),
    ...(who !== 'anyone' && who.includes('platform_admin') ? (['network_not_allowed'] as const) : []),
    ...(row.options.recent_authentication ? (['recent_authentication_required'] as const) : []),
    ...(etag && mayHaveIfMatch(row) ? (['precondition_failed'] as const) : []),
    ...refuses,
  ];
}

/** Whether a row changes the resource whose ETag it returns. */
export function mayHaveIfMatch({ method }: Row): boolean {
  return method === 'PATCH' || method === 'PUT';
}

/** Describes the error replies by status: every code with its sentence and a sample. Equal replies of several operations are one component. */
export function describeProblems(codes: readonly RefusalCode[], components: Components): Schema {
  const byStatus = Map.groupBy([...new Set(codes)], (code) => refusals[code][0]);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      { $ref: `#/components/responses/${shareResponse(status, group, components)}` },
    ]),
  );
}

/** Adds an error reply to the components, unless an equal one is there. @returns its name. */
function shareResponse(status: number, codes: readonly RefusalCode[], components: Components): string {
  const { responses } = components;
  const description = [...codes]
    .sort()
    .map((code) => `- ${code}: ${refusals[code][1]}`)
    .join('\n');
  for (let number = 1; ; number++) {
    const name = number === 1 ? `Problem${status}` : `Problem${status}_${number}`;
    const existing = responses[name] as { readonly description: string } | undefined;
    if (existing?.description === description) return name;
    if (existing !== undefined) continue;
    for (const code of codes) components.examples[code] ??= buildProblemExample(code, components);
    responses[name] = {
      description,
      headers: describeHeaders(headersOfStatus[status] ?? []),
      content: {
        'application/problem+json': {
          schema: writeOpenSchema(
            buildProblemSchema(
              components.problem?.fields ?? {},
              components.texts.problem,
            ) as unknown as Schema,
            components,
          ),
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
          ),
        },
      },
    };
    return name;
  }
}

const headersOfStatus: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  402: ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function buildProblemExample(code: RefusalCode, { problem, texts }: Components): Schema {
  const [status, sentence] = refusals[code];
  const isField = code === 'field_invalid';
  return {
    summary: sentence,
    value: {
      type: `/docs/problems#${code}`,
      title: sentence,
      status,
      detail: isField ? '/title must not be empty' : sentence,
      instance: texts.problem.instance,
      code,
      ...(isField && { errors: [{ pointer: '/title', reason: 'must not be empty' }] }),
      ...(status === problem?.status && problem.sample),
      request_id: '4f9d1c2b-7a6e-4d35-9c80-1b2a3f4e5d6c',
    },
  };
}
