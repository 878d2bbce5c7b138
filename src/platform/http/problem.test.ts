import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Refusal } from '#lib/refusal.ts';
import { rejectUnreadableRequest, toRefusal } from './problem.ts';

/** A stream has everything that the function uses of a socket. */
function rejectRequest(error: Error, stream: PassThrough): void {
  rejectUnreadableRequest(error, stream as unknown as Socket);
}

test.each([
  ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 431, 'headers_too_large'],
  ['HPE_INVALID_METHOD', 400, 'request_malformed'],
  ['', 400, 'request_malformed'],
])('replies to an unreadable request (%s) with a problem of status %i', (parserCode, status, code) => {
  const socket = new PassThrough();
  rejectRequest(Object.assign(new Error('Parse Error: near the password'), { code: parserCode }), socket);
  const [head = '', body = ''] = String(socket.read()).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [A-Z]`));
  expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`);
  expect(JSON.parse(body)).toMatchObject({ status, code });
  expect(body).not.toContain('password');
  expect(socket.writableEnded).toBe(true);
});

test('writes nothing to a connection that was reset', () => {
  const socket = new PassThrough();
  rejectRequest(Object.assign(new Error('reset'), { code: 'ECONNRESET' }), socket);
  expect([socket.destroyed, socket.read()]).toEqual([true, null]);
});

test('any error that is not a refusal is a defect, regardless of its status', () => {
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
