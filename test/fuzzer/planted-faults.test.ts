import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { refusals, type RefusalCode } from '#lib/refusal.ts';
import { listOperations, type ApiDocument, type ApiOperation } from './document.ts';
import { fuzzOperation, type FuzzOptions } from './fuzz.ts';
import type { FuzzedRequest } from './requests.ts';
import { countCodePoints } from './values.ts';
import type { RawReply } from './judge.ts';

const problem = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
  },
  required: ['code', 'status', 'instance', 'request_id'],
};

const refusing = (...codes: readonly RefusalCode[]) => ({
  description: codes.map((code) => `${code}: ${refusals[code][1]}`).join(' '),
  content: { 'application/problem+json': { schema: problem } },
});

const name = { type: 'string', minLength: 1, maxLength: 10 };

/** A service of one operation: enough to plant a fault in. */
const document: ApiDocument = {
  paths: {
    '/things': {
      post: {
        operationId: 'things.create',
        security: [{ bearer: [] }],
        parameters: [
          {
            name: 'limit',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 9 },
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: { name, count: { type: 'integer', minimum: 0, maximum: 5 } },
                required: ['name', 'count'],
                additionalProperties: false,
              },
            },
          },
        },
        responses: {
          201: {
            description: 'Created.',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          401: refusing('authentication_required'),
          415: refusing('media_type_unsupported'),
          400: refusing('body_malformed'),
          422: refusing('field_invalid'),
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        properties: { id: { type: 'string', format: 'uuid' }, name },
        required: ['id', 'name'],
      },
    },
  },
};

const [operation] = listOperations(document) as readonly [ApiOperation];

type Parts = {
  readonly request: FuzzedRequest;
  readonly body: Record<string, unknown>;
  readonly good: RawReply;
};

/** The service keeps its document where `plant` changes nothing. */
function service(plant: (parts: Parts) => RawReply | undefined = () => undefined) {
  return async (request: FuzzedRequest): Promise<RawReply> => {
    const body = bodyOf(request);
    const good = answer(request, body);
    return plant({ request, body: (body ?? {}) as Record<string, unknown>, good }) ?? good;
  };
}

function answer(request: FuzzedRequest, body: unknown): RawReply {
  if (request.headers['authorization'] !== 'Bearer good') return refusal(request, 'authentication_required');
  if (request.body && !/^ ?application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return refusal(request, 'media_type_unsupported');
  if (body === undefined && request.body) return refusal(request, 'body_malformed');
  const query = request.url.split('?')[1] ?? '';
  if (!isThing(body) || !/^(limit=[1-9])?$/.test(query)) return refusal(request, 'field_invalid');
  return created({ id: randomUUID(), name: body.name });
}

function isThing(body: unknown): body is { readonly name: string; readonly count: number } {
  if (typeof body !== 'object' || body === null || Object.keys(body).sort().join() !== 'count,name')
    return false;
  const { name: text, count } = body as Record<string, unknown>;
  return (
    typeof text === 'string' &&
    text !== '' &&
    countCodePoints(text) <= 10 &&
    Number.isInteger(count) &&
    Number(count) >= 0 &&
    Number(count) <= 5
  );
}

function bodyOf({ body }: FuzzedRequest): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

function created(thing: object, status = 201): RawReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': '1' },
    text: JSON.stringify(thing),
  };
}

function refusal({ url }: FuzzedRequest, code: RefusalCode): RawReply {
  const status = refusals[code][0];
  const body = { code, status, instance: url.split('?', 1)[0], request_id: '1' };
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': '1', ...challenge },
    text: JSON.stringify(body),
  };
}

function fuzzed(send: FuzzOptions['send']): Promise<unknown> {
  const callers = {
    anonymous: { known: false, weight: 1 },
    somebody: { authorization: 'Bearer good', known: true, weight: 3 },
  };
  return fuzzOperation(operation, { callers, dictionary: {}, send, seed: 1, runs: 500 });
}

describe('the fuzzer', () => {
  it('finds nothing in a service that keeps its document', async () => {
    const tally = (await fuzzed(service())) as ReadonlyMap<number, number>;
    expect([...tally.keys()].toSorted((one, other) => one - other)).toEqual([201, 400, 401, 415, 422]);
  });

  it.each<[string, (parts: Parts) => RawReply | undefined, RegExp]>([
    [
      'an undocumented status',
      ({ good }) => (good.status === 201 ? { ...good, status: 200 } : undefined),
      /answered 200, which is not documented/,
    ],
    [
      'a leaking field',
      ({ good, body }) =>
        good.status === 201 ? created({ id: randomUUID(), name: body['name'], score: 0.7 }) : undefined,
      /must NOT have additional properties.*score/,
    ],
    [
      'a coerced body',
      ({ good, body, request }) =>
        good.status === 422 &&
        isThing({ ...body, count: Number(body['count']) }) &&
        !request.url.includes('?')
          ? created({ id: randomUUID(), name: body['name'] })
          : undefined,
      /answered 201 although the body is outside its schema: \/count/,
    ],
    [
      'a field too many that is taken',
      ({ good, body: { name: text, count }, request }) =>
        good.status === 422 && isThing({ name: text, count }) && !request.url.includes('?')
          ? created({ id: randomUUID(), name: text })
          : undefined,
      /answered 201 although the body is outside its schema.*additional/,
    ],
    [
      'a bound that is off by one',
      ({ good, body, request }) =>
        good.status === 422 &&
        body['count'] === 6 &&
        isThing({ ...body, count: 5 }) &&
        !request.url.includes('?')
          ? created({ id: randomUUID(), name: body['name'] })
          : undefined,
      /\/count must be <= 5/,
    ],
    [
      'a body read whatever its type',
      ({ good, body }) =>
        good.status === 415 && isThing(body) ? created({ id: randomUUID(), name: body.name }) : undefined,
      /although the content type is/,
    ],
    [
      'a query parameter that nobody named',
      ({ good, body }) =>
        good.status === 422 && isThing(body) ? created({ id: randomUUID(), name: body.name }) : undefined,
      /is not a parameter|the query has|is sent twice/,
    ],
    [
      'an open door',
      ({ good, body }) =>
        good.status === 401 && isThing(body) ? created({ id: randomUUID(), name: body.name }) : undefined,
      /although anonymous is not signed in/,
    ],
    [
      'a defect',
      ({ good, body }) => (String(body['name']).includes('\0') ? { ...good, status: 500 } : undefined),
      /answered 500/,
    ],
    [
      'a long text that takes long',
      ({ good, body }) =>
        good.status === 401 && String(body['name']).length > 5 ? { ...good, processor_ms: 1_001 } : undefined,
      /took 1001 ms of processor time/,
    ],
    [
      'an error that is not a problem',
      ({ good }) =>
        good.status === 422
          ? { ...good, headers: { ...good.headers, 'content-type': 'application/json' } }
          : undefined,
      /content type application\/json instead of application\/problem\+json/,
    ],
    [
      'a code from nowhere',
      ({ good }) =>
        good.status === 422 ? { ...good, text: good.text.replace('field_invalid', 'oops') } : undefined,
      /has code oops at 422, unlike the table/,
    ],
    [
      'a code of another status',
      ({ good }) =>
        good.status === 422
          ? { ...good, text: good.text.replace('field_invalid', 'body_malformed') }
          : undefined,
      /unlike the table/,
    ],
    [
      'a code that is documented elsewhere only',
      ({ good }) =>
        good.status === 422
          ? { ...good, text: good.text.replace('field_invalid', 'trait_code_unknown') }
          : undefined,
      /422 does not document here/,
    ],
    [
      'another instance',
      ({ good }) => (good.status === 401 ? { ...good, text: good.text.replace('/things', '/') } : undefined),
      /has instance \//,
    ],
    [
      'a missing request id',
      ({ good }) =>
        good.status >= 400 ? { ...good, headers: { ...good.headers, 'x-request-id': '2' } } : undefined,
      /has no request_id/,
    ],
    [
      'a missing challenge',
      ({ good }) =>
        good.status === 401
          ? { ...good, headers: { ...good.headers, 'www-authenticate': undefined } }
          : undefined,
      /has no WWW-Authenticate/,
    ],
  ])('finds %s, and says with what', async (_, plant, found) => {
    await expect(fuzzed(service(plant))).rejects.toThrow(found);
  });

  it('tells the smallest request that shows the fault, and how to see it again', async () => {
    const plant = ({ good, body }: Parts) =>
      typeof body['name'] === 'string' && body['name'].length > 3 && body['count'] === 3
        ? { ...good, status: 500 }
        : undefined;
    const told = await fuzzed(service(plant)).catch((error: unknown) => (error as Error).message);
    expect(told).toMatch(/POST \/things as (anonymous|somebody.*)\n {2}content-type/);
    expect(told).toMatch(/\n {2}\{"name":".{3,16}","count":3\}\n/u);
    expect(told).toMatch(/seed 1, (path [\d:]+, shrunk \d+ times|before any chance)/);
  });
});
