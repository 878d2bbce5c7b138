import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { openLog, type Logger, type RequestLine } from './log.ts';

const canary = 'canary-5f1c';

const secretNames = [
  'authorization',
  'Authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'Set-Cookie',
  'password',
  'new_password',
  'newPassword',
  'token',
  'refresh_token',
  'access_token',
  'accessToken',
  'secret',
  'client_secret',
  'code',
  'claim_code',
  'mfa_ticket',
  'api_key',
  'apiKey',
  'x-api-key',
  'private_key',
  'PAYMENT-SIGNATURE',
  'x-payment',
];

function openTestLog(level: 'info' | 'debug' = 'info'): {
  log: Logger;
  readText: () => string;
  readLastLine: () => Record<string, unknown>;
} {
  const lines: string[] = [];
  const log = openLog({ level, destination: { write: (line) => void lines.push(line) } });
  return {
    log,
    readText: () => lines.join(''),
    readLastLine: () => JSON.parse(lines.at(-1)!) as Record<string, unknown>,
  };
}

test('a line is JSON with the level, an ISO time, the fields and the message, and no pid or host', () => {
  const { log, readText, readLastLine } = openTestLog();
  log.info({ task: 'export' }, 'done');
  expect(readText()).toMatch(/^\{[^\n]*\}\n$/);
  expect(readLastLine()).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    task: 'export',
    msg: 'done',
  });
});

test('the line of a request has every field unchanged', () => {
  const { log, readLastLine } = openTestLog();
  const line: RequestLine = {
    request_id: 'a',
    method: 'GET',
    route: '/api/v1/x',
    status: 200,
    duration_ms: 1.2,
    role: 'member',
    user_id: 'b',
  };
  log.info(line);
  expect(readLastLine()).toMatchObject(line);
});

test('does not write lines below the level', () => {
  const { log, readText } = openTestLog();
  log.debug({ a: 1 }, 'quiet');
  expect(readText()).toBe('');
});

test.each(secretNames)('redacts %s at any depth, in lists, in errors and in child loggers', (name) => {
  const { log, readText } = openTestLog();
  const holder = { [name]: canary };
  log.info(holder);
  log.info({ headers: holder });
  log.info({ request: { headers: holder } });
  log.info({ a: { b: { c: { d: { e: holder } } } } });
  log.info({ list: [holder, [holder]], convertible: { toJSON: () => holder } });
  log.info({ [name]: [canary], b: { [name]: { inner: canary } } });
  if (name !== 'code') log.error({ err: Object.assign(new Error('failed'), holder) });
  log.error({
    err: Object.assign(new Error('failed'), { config: { headers: holder } }),
    error: new Error('x', { cause: holder }),
  });
  log.error(Object.assign(new Error('failed'), { response: holder }));
  log.child(holder).info('hello');
  log
    .child({ request: { headers: holder } })
    .child({ b: holder })
    .warn({ again: holder }, 'hello');
  expect(readText().split('\n')).toHaveLength(name === 'code' ? 11 : 12);
  expect(readText()).not.toContain(canary);
});

test('redacts secrets at any position in any value', () => {
  const leaf = fc.oneof(fc.constant(canary), fc.constant({ nested: [canary] }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      fc.constantFrom<unknown>(1, null, 'harmless'),
      fc.dictionary(fc.constantFrom('a', 'b', 'status'), tie('tree'), { maxKeys: 3 }),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.tuple(fc.constantFrom(...secretNames), leaf).map(([name, value]) => ({ [name]: value })),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const { log, readText } = openTestLog();
      log.info({ value });
      expect(readText()).toContain('"value":');
      expect(readText()).not.toContain(canary);
    }),
  );
});

test('logs the type, message, stack and code of an error', () => {
  const { log, readLastLine } = openTestLog();
  log.error(
    { err: Object.assign(new Error('no route to the database'), { code: 'ECONNREFUSED' }) },
    'unavailable',
  );
  expect(readLastLine()).toMatchObject({
    msg: 'unavailable',
    err: { type: 'Error', message: 'no route to the database', code: 'ECONNREFUSED' },
  });
  log.error({ err: new Refusal('job_closed') });
  expect(readLastLine()).toMatchObject({
    err: { code: 'job_closed', stack: expect.stringContaining('log.test.ts') as string },
  });
});

test('logs ordinary values unchanged, and does not modify them', () => {
  const { log, readLastLine } = openTestLog();
  const value = { at: new Date(0), list: [1, 'two', null], inner: { status_code: 200, password: canary } };
  log.info({ value, bytes: Buffer.from(canary) });
  expect(readLastLine()).toMatchObject({
    value: {
      at: '1970-01-01T00:00:00.000Z',
      list: [1, 'two', null],
      inner: { status_code: 200, password: '[redacted]' },
    },
    bytes: '[11 bytes]',
  });
  expect(value.inner.password).toBe(canary);
});

test('logs a value that contains itself', () => {
  const { log, readText } = openTestLog();
  const loop: Record<string, unknown> = { name: 'loop' };
  loop['self'] = loop;
  log.info({ loop });
  expect(readText()).toContain('[deeper]');
});
