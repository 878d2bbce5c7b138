import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { anonymousCaller, type Caller } from '#lib/caller.ts';
import { row } from '#platform/http/row.ts';
import { operation, reply } from '#platform/operation.ts';
import { closedObject, uuid } from '#platform/schema.ts';
import { startApp } from '#test/harness.ts';
import { createOperationCalls } from './call-operations.ts';

const output = { 200: closedObject({ seen: Type.String() }) };
const base = { summary: 'For this test.', refuses: [] } as const;

const readNote = operation({
  ...base,
  name: 'notes.readNote',
  who: ['member'],
  input: Type.Object({ note_id: uuid, limit: Type.Optional(Type.Integer({ maximum: 5, default: 3 })) }),
  output,
  run: async (_, input) => ({ seen: JSON.stringify(input) }),
});
const leakNote = operation({
  ...base,
  name: 'notes.leakNote',
  who: 'anyone',
  input: Type.Object({}),
  output,
  run: async () => ({ seen: 'a', secret: 'b' }),
});
const openNote = operation({
  ...base,
  name: 'notes.openNote',
  who: 'anyone',
  input: Type.Object({}),
  output: { 200: closedObject({ cookie: Type.String() }) },
  cookies: { reads: 'refresh_token', sets: ['refresh_token'] },
  run: async ({ request }) =>
    reply(200, { cookie: request.cookies['refresh_token'] ?? '' }, [
      { name: 'refresh_token', value: 'next', max_age_s: 9, path: '/api/v1/auth' },
    ]),
});
const hidden = operation({
  ...base,
  name: 'notes.hidden',
  who: 'anyone',
  input: Type.Object({}),
  output: { 204: null },
  run: async () => null,
});

const note_id = '5f0c7c1e-8f2b-4c58-9a40-0d8f5d9a1b2c';
const member = { role: 'member', user_id: note_id, session_id: note_id, member_id: note_id } as const;

async function openCall(caller: Caller = { ...member, authenticated_at: new Date(0) }) {
  const { platform } = await startApp();
  const cookies: string[] = [];
  const createCall = createOperationCalls(platform, [
    row('GET', '/notes/{note_id}', 'jwt', readNote),
    row('GET', '/leak', 'public', leakNote),
    row('POST', '/open', 'public', openNote),
  ]);
  const facts = {
    id: 'request',
    address: '192.0.2.1',
    user_agent: undefined,
    accept: undefined,
    if_match: undefined,
    payment: {},
    cookies: { refresh_token: 'current' },
    origin: undefined,
  };
  const takeCookies = (each: readonly { value: string }[]) =>
    void cookies.push(...each.map(({ value }) => value));
  return { call: createCall({ caller, facts, key: undefined, takeCookies }), cookies };
}

describe('an operation that a page calls', () => {
  it('receives its input as the API would parse it', async () => {
    const { call } = await openCall();
    expect(await call(readNote, { note_id })).toEqual({ seen: JSON.stringify({ note_id, limit: 3 }) });
    await expect(call(readNote, { note_id: 'x' })).rejects.toMatchObject({ code: 'field_invalid' });
    await expect(call(readNote, { note_id, limit: 6 })).rejects.toMatchObject({ code: 'field_invalid' });
    const unknown = { note_id, other: 1 };
    await expect(call(readNote, unknown)).rejects.toMatchObject({ code: 'field_invalid' });
  });

  it('is refused to those whom the API refuses it', async () => {
    const stranger = await openCall(anonymousCaller);
    const refusal = { code: 'authentication_required' };
    await expect(stranger.call(readNote, { note_id })).rejects.toMatchObject(refusal);
    const org = await openCall({
      ...member,
      role: 'org_admin',
      org_id: note_id,
      authenticated_at: new Date(0),
    });
    await expect(org.call(readNote, { note_id })).rejects.toMatchObject({ code: 'role_not_allowed' });
  });

  it('cannot reply with anything that its output does not name', async () => {
    const { call } = await openCall();
    await expect(call(leakNote)).rejects.toThrow('the reply 200 of notes.leakNote does not match its schema');
  });

  it('reads the session as its cookie, and its own cookies go to the browser', async () => {
    const { call, cookies } = await openCall();
    expect(await call(openNote)).toEqual({ cookie: 'current' });
    expect(cookies).toEqual(['next']);
  });

  it('must be in the table of the API', async () => {
    const { call } = await openCall();
    await expect(call(hidden)).rejects.toThrow('notes.hidden is not in the table of the API');
  });
});
