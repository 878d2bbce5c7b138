import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { refusals, type RefusalCode } from '#lib/refusals.ts';
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

const describeRefusals = (...codes: readonly RefusalCode[]) => ({
  description: codes.map((code) => `${code}: ${refusals[code][1]}`).join(' '),
  content: { 'application/problem+json': { schema: problem } },
});

const name = { type: 'string', minLength: 1, maxLength: 10 };

/** A service with one operation, in which faults can be planted. */
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
          401: describeRefusals('authentication_required'),
          415: describeRefusals('media_type_unsupported'),
          400: describeRefusals('body_malformed'),
          422: describeRefusals('field_invalid'),
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

/** Creates a service that follows its document, unless `plant` changes the reply. */
function createService(plant: (parts: Parts) => RawReply | undefined = () => undefined) {
  return async (request: FuzzedRequest): Promise<RawReply> => {
    const body = parseBody(request);
    const good = respond(request, body);
    return plant({ request, body: (body ?? {}) as Record<string, unknown>, good }) ?? good;
  };
}

function respond(request: FuzzedRequest, body: unknown): RawReply {
  if (request.headers['authorization'] !== 'Bearer good')
    return buildRefusal(request, 'authentication_required');
  if (request.body && !/^ ?application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
    return buildRefusal(request, 'media_type_unsupported');
  if (body === undefined && request.body) return buildRefusal(request, 'body_malformed');
  const query = request.url.split('?')[1] ?? '';
  if (!isThing(body) || !/^(limit=[1-9])?$/.test(query)) return buildRefusal(request, 'field_invalid');
  return buildCreatedReply({ id: randomUUID(), name: body.name });
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

function parseBody({ body }: FuzzedRequest): unknown {
  try {
    return JSON.parse(body ?? '');
  } catch {
    return undefined;
  }
}

function buildCreatedReply(thing: object, status = 201): RawReply {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': '1' },
    text: JSON.stringify(thing),
  };
}

function buildRefusal({ url }: FuzzedRequest, code: RefusalCode): RawReply {
  const status = refusals[code][0];
  const body = { code, status, instance: url.split('?', 1)[0], request_id: '1' };
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return {
    status,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': '1', ...challenge },
    text: JSON.stringify(body),
  };
}

function runFuzzer(send: FuzzOptions['send']): Promise<unknown> {
  const callers = {
    anonymous: { known: false, weight: 1 },
    user: { authorization: 'Bearer good', known: true, weight: 3 },
  };
  return fuzzOperation(operation, { callers, dictionary: {}, send, seed: 1, runs: 500 });
}

describe('the fuzzer', () => {
  it('finds nothing in a service that follows its document', async () => {
    const tally = (await runFuzzer(createService())) as ReadonlyMap<number, number>;
    expect([...tally.keys()].toSorted((one, other) => one - other)).toEqual([201, 400, 401, 415, 422]);
  });

  it.each<[string, (parts: Parts) => RawReply | undefined, RegExp]>([
    [
      'an undocumented status',
      ({ good }) => (good.status === 201 ? { ...good, status: 200 } : undefined),
      /replied with 200, which is not documented/,
    ],
    [
      'a leaking field',
      ({ good, body }) =>
        good.status === 201
          ? buildCreatedReply({ id: randomUUID(), name: body['name'], score: 0.7 })
          : undefined,
      /must NOT have additional properties.*score/,
    ],
    [
      'a coerced body',
      ({ good, body, request }) =>
        good.status === 422 &&
        isThing({ ...body, count: Number(body['count']) }) &&
        !request.url.includes('?')
          ? buildCreatedReply({ id: randomUUID(), name: body['name'] })
          : undefined,
      /replied with 201 although the body is outside its schema: \/count/,
    ],
    [
      'an additional field that is accepted',
      ({ good, body: { name: text, count }, request }) =>
        good.status === 422 && isThing({ name: text, count }) && !request.url.includes('?')
          ? buildCreatedReply({ id: randomUUID(), name: text })
          : undefined,
      /replied with 201 although the body is outside its schema.*additional/,
    ],
    [
      'a bound that is off by one',
      ({ good, body, request }) =>
        good.status === 422 &&
        body['count'] === 6 &&
        isThing({ ...body, count: 5 }) &&
        !request.url.includes('?')
          ? buildCreatedReply({ id: randomUUID(), name: body['name'] })
          : undefined,
      /\/count must be <= 5/,
    ],
    [
      'a body that is read without regard to its type',
      ({ good, body }) =>
        good.status === 415 && isThing(body)
          ? buildCreatedReply({ id: randomUUID(), name: body.name })
          : undefined,
      /although the content type is/,
    ],
    [
      'an unknown query parameter',
      ({ good, body }) =>
        good.status === 422 && isThing(body)
          ? buildCreatedReply({ id: randomUUID(), name: body.name })
          : undefined,
      /is not a parameter|the query has|is sent twice/,
    ],
    [
      'a missing authentication',
      ({ good, body }) =>
        good.status === 401 && isThing(body)
          ? buildCreatedReply({ id: randomUUID(), name: body.name })
          : undefined,
      /although anonymous is not logged in/,
    ],
    [
      'a defect',
      ({ good, body }) => (String(body['name']).includes('\0') ? { ...good, status: 500 } : undefined),
      /replied with 500/,
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
      'an unknown code',
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
      'a code that is documented only for other operations',
      ({ good }) =>
        good.status === 422
          ? { ...good, text: good.text.replace('field_invalid', 'trait_code_unknown') }
          : undefined,
      /422 does not document here/,
    ],
    [
      'a wrong instance',
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
  ])('finds %s, and describes it', async (_, plant, found) => {
    await expect(runFuzzer(createService(plant))).rejects.toThrow(found);
  });

  it('reports the smallest request that shows the fault, and how to repeat it', async () => {
    const plant = ({ good, body }: Parts) =>
      typeof body['name'] === 'string' && body['name'].length > 3 && body['count'] === 3
        ? { ...good, status: 500 }
        : undefined;
    const report = await runFuzzer(createService(plant)).catch((error: unknown) => (error as Error).message);
    expect(report).toMatch(/POST \/things as (anonymous|user.*)\n {2}content-type/);
    expect(report).toMatch(/\n {2}\{"name":".{3,16}","count":3\}\n/u);
    expect(report).toMatch(/seed 1, (path [\d:]+, shrunk \d+ times|before the random requests)/);
  });
});
