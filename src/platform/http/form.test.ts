import fc from 'fast-check';
import { Type } from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { operation, redirect, reply, type Context } from '#platform/operation.ts';
import { closedObject } from '#platform/schema.ts';
import { openTestServer, type TestServer } from '#test/test-server.ts';
import { readForm, readFormWithFiles } from './form.ts';
import { buildOpenApiDocument } from '#platform/openapi/build-document.ts';
import { row } from './row.ts';

const readText = (text: string) => readForm(Buffer.from(text));
const field = Type.Optional(Type.String({ maxLength: 300_000 }));
const form = operation({
  name: 'test.form',
  summary: 'Returns its input.',
  who: 'anyone',
  input: closedObject({ id: Type.String(), text: field, location: field }),
  output: { 200: Type.Unsafe<unknown>({}), 303: redirect() },
  refuses: [],
  cookies: { sets: ['a', 'c'] },
  run: async ({ request }: Context, { location, ...rest }) =>
    location === undefined
      ? reply(200, { ...rest, cookies: request.cookies, origin: request.origin })
      : reply(303, { location }, [
          { name: 'a', value: 'b', max_age_s: 1, path: '/', cross_site: true },
          { name: 'c', value: 'd', max_age_s: 1, path: '/' },
        ]),
});
const { cookies: _declared, ...formWithoutCookies } = form;
const undeclared = { ...formWithoutCookies, name: 'test.undeclared' };
const json = operation({
  name: 'test.json',
  summary: 'Accepts JSON.',
  who: 'anyone',
  input: closedObject({ text: field }),
  output: { 200: Type.Unsafe<unknown>({}) },
  refuses: [],
  run: async ({ request }) => request.cookies,
});
const rows = [
  row('POST', '/forms/{id}', 'public', form, { from: 'form' }),
  row('POST', '/json', 'public', json),
  row('POST', '/undeclared/{id}', 'public', undeclared, { from: 'form' }),
];

let testServer: TestServer;
beforeAll(async () => {
  testServer = await openTestServer(rows);
});

type Described = {
  readonly requestBody: { readonly content: object };
  readonly responses: Readonly<
    Record<
      string,
      { readonly headers?: { readonly Location: { readonly schema: object } }; readonly content?: object }
    >
  >;
};

const urlencoded = 'application/x-www-form-urlencoded';

async function post(payload: string, headers: Readonly<Record<string, string>> = {}, url = '/forms/1') {
  const response = await testServer.server.inject({
    method: 'POST',
    url: `/api/v1${url}`,
    headers: { 'content-type': urlencoded, ...headers },
    payload,
  });
  return { status: response.statusCode, headers: response.headers, text: response.payload };
}

describe('a form', () => {
  test('is decoded to the fields that were encoded', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => !name.includes('\0')),
          fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0')),
          { maxKeys: 20, noNullPrototype: true },
        ),
        (fields) => {
          expect(readText(new URLSearchParams(fields).toString())).toEqual(fields);
        },
      ),
    );
  });

  test.each([
    ['', {}],
    ['&&', {}],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a+b=%2B+', { 'a b': '+ ' }],
    ['__proto__=x', Object.fromEntries([['__proto__', 'x']])],
  ])('is read as the URL Standard requires: %j', (text, fields) => {
    expect(readText(text)).toEqual(fields);
  });

  test.each([
    'a=%',
    'a=%zz',
    'a=%ff',
    'a=%C3',
    'a=%ED%A0%80',
    'a=ö',
    'a=1&a=2',
    `${'a&'.repeat(5)}b`,
    'a=%00',
    Array.from({ length: 21 }, (_, at) => `f${at}=`).join('&'),
  ])('is refused if it is malformed or ambiguous: %j', (text) => {
    expect(readText(text)).toBeInstanceOf(Refusal);
  });
});

describe('a form with a file', () => {
  const boundary = 'b0undary';
  const media_type = `multipart/form-data; boundary=${boundary}`;
  const buildPart = (name: string, value: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const read = (...parts: readonly string[]) =>
    readFormWithFiles(Buffer.from(`${parts.join('')}--${boundary}--\r\n`), media_type, 3);

  test('is read with the file as base64, and as empty text if none was chosen', async () => {
    const file = '; filename="a.png"\r\ncontent-type: image/png';
    expect(
      await read(
        buildPart('name', 'Ö & b'),
        buildPart('image', 'PNG', file),
        buildPart('other', '', '; filename=""'),
      ),
    ).toEqual({
      name: 'Ö & b',
      image: Buffer.from('PNG').toString('base64'),
      other: '',
    });
  });

  test.each([
    ['a field twice', [buildPart('a', '1'), buildPart('a', '2')]],
    ['too many fields', ['a', 'b', 'c', 'd'].map((name) => buildPart(name, ''))],
    ['a NUL', [buildPart('a', '\0')]],
    ['a part without an end', ['--b0undary\r\ncontent-disposition: form-data; name="a"\r\n\r\nx']],
  ])('is refused with %s', async (_, parts) => {
    expect(await read(...parts)).toBeInstanceOf(Refusal);
  });

  test('is refused without its boundary', async () => {
    expect(await readFormWithFiles(Buffer.from('x'), 'multipart/form-data')).toBeInstanceOf(Refusal);
  });
});

describe('a row that accepts a form', () => {
  test('parses its fields like any other input', async () => {
    const { status, text } = await post('text=a%26b+c');
    expect([status, JSON.parse(text)]).toEqual([200, { id: '1', text: 'a&b c', cookies: {} }]);
    expect((await post('text=a&unnamed=b')).status).toBe(422);
    expect((await post('text=%zz')).status).toBe(400);
    expect((await post(`text=${'a'.repeat(256 * 1024)}`)).status).toBe(413);
  });

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'application/xml', ''])(
    'accepts no other media type: %j',
    async (type) => {
      expect((await post('{"text":"a"}', { 'content-type': type })).status).toBe(415);
    },
  );

  test('does not change other rows, which accept only JSON', async () => {
    expect((await post('text=a', {}, '/json')).status).toBe(415);
    expect((await post('{"text":"a"}', { 'content-type': 'application/json' }, '/json')).status).toBe(200);
  });

  test('receives the cookies that a browser sends from another site; other rows do not', async () => {
    const cross = { cookie: 'a=b', 'sec-fetch-site': 'cross-site', origin: 'https://idp.example' };
    expect(JSON.parse((await post('', cross)).text)).toMatchObject({
      cookies: { a: 'b' },
      origin: 'https://idp.example',
    });
    const plain = { ...cross, 'content-type': 'application/json' };
    expect(JSON.parse((await post('{}', plain, '/json')).text)).toEqual({});
  });

  test('may redirect the browser and set cookies', async () => {
    const { status, headers, text } = await post('location=%2Fjobs%3Fa%3Db');
    expect([status, headers.location, text]).toEqual([303, '/jobs?a=b', '']);
    expect(headers['set-cookie']).toEqual([
      'a=b; Max-Age=1; Path=/; HttpOnly; Secure; SameSite=None',
      'c=d; Max-Age=1; Path=/; HttpOnly; Secure; SameSite=Lax',
    ]);
  });

  test('may not set a cookie that its operation does not declare', async () => {
    const reply = await testServer.server.inject({
      method: 'POST',
      url: '/api/v1/undeclared/1',
      headers: { 'content-type': urlencoded },
      payload: 'location=%2Fjobs',
    });
    expect([reply.statusCode, reply.headers['set-cookie']]).toEqual([500, undefined]);
  });

  test('is documented as a form and a redirect', () => {
    const document = buildOpenApiDocument(rows, 'https://tessera.example') as {
      readonly paths: Readonly<Record<string, { readonly post: Described }>>;
    };
    const { requestBody, responses } = document.paths['/api/v1/forms/{id}']!.post;
    expect(Object.keys(requestBody.content)).toEqual([urlencoded]);
    expect(responses['303']?.headers?.Location).toEqual({ $ref: '#/components/headers/Location' });
    expect(responses['303']?.content).toBeUndefined();
  });
});
