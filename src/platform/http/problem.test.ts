import { PassThrough } from 'node:stream';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { rejectUnreadableRequest, toRefusal } from './problem.ts';

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
  ['HPE_INVALID_METHOD', 400, 'request_malformed'],
  ['', 400, 'request_malformed'],
])('a request that cannot be read (%s) is a problem with status %i', (parserCode, status, code) => {
  const socket = new PassThrough();
  rejectUnreadableRequest(
    Object.assign(new Error('Parse Error: near the password'), { code: parserCode }),
    socket as unknown as Socket,
  );
  const [head = '', body = ''] = String(socket.read()).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({ status, code });
  expect(body).not.toContain('password');
  expect(socket.writableEnded).toBe(true);
});

test('a connection that is gone is let go', () => {
  const socket = new PassThrough();
  rejectUnreadableRequest(
    Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    socket as unknown as Socket,
  );
  expect([socket.destroyed, socket.read()]).toEqual([true, null]);
});

test('what is no refusal is a defect, whatever status it claims', () => {
  expect(toRefusal(new Refusal('job_closed')).code).toBe('job_closed');
  for (const thrown of [
    new Error('x'),
    'text',
    5,
    { statusCode: 404 },
    Object.assign(new Error('x'), { statusCode: 401, code: 'EAUTH' }),
  ])
    expect(toRefusal(thrown).code).toBe('internal_error');
  for (const thrown of [null, undefined]) expect(toRefusal(thrown).code).toBe('internal_error');
});
