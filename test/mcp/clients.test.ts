import { describe, expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import {
  createBrowser,
  decide,
  returnToClient,
  startInteraction,
  type Decision,
} from '#test/modules/oauth.ts';
import { createPayment, findAliases, registerReadable, spendAllowance } from '#test/modules/reads.ts';
import { proves } from '#test/requirements.ts';
import { listen, listRealClients, Person, type Answer, type CallResult } from './real-clients.ts';

const app = await startApp();
const send: typeof fetch = await listen(app);

const clients = listRealClients(() => send);

/** Decides as a person does who is logged in. */
function decideAs(token: string, decision: Decision): Answer {
  return async (url) => {
    const browser = createBrowser();
    const uid = await startInteraction(app, browser, url.href);
    const { status, body } = await decide(app, { token, uid, decision });
    if (status !== 200) throw new Error(`the decision returned ${status}: ${JSON.stringify(body)}`);
    return returnToClient(app, browser, body.continue_url);
  };
}

const readProblem = ({ content }: CallResult) =>
  JSON.parse((content[0] as { readonly text: string }).text) as { readonly code: string };

describe.each(clients)('%s', (_name, connect) => {
  test('is added by the address alone, logs in, and does what the person has ticked until that ends', async () => {
    proves(
      'surface-mcp-url-for-connectors-and-agents',
      'surface-connector-added-by-mcp-url',
      'surface-connector-no-pasted-token',
    );
    const member = await app.registerMember();
    const person = new Person(decideAs(member.token, { tools: ['read_profile', 'next_assessment_item'] }));
    const client = await connect(person);
    expect(person.asked).toContain('tool:read_traits');
    expect(person.asked).not.toContain('tool:query_archetype');
    const names = await client.listTools();
    expect(names).toEqual(expect.arrayContaining(['list_traits', 'read_profile', 'next_assessment_item']));
    expect(names).not.toContain('read_traits');
    const profile = await client.call('read_profile');
    expect(profile.structuredContent).toMatchObject({ id: member.member_id });
    expect(readProblem(await client.call('read_traits')).code).toBe('tool_not_granted');
    expect(readProblem(await client.call('next_assessment_item')).code).toBe('consent_required');
    const { body } = await app.request('GET', '/auth/grants', { token: member.token });
    expect(body.data).toMatchObject([{ tools: ['read_profile', 'next_assessment_item'] }]);
    await app.request('DELETE', `/auth/grants/${body.data[0].id}`, { token: member.token });
    // Asked again, the person now allows one tool only.
    person.answer = decideAs(member.token, { tools: ['list_matches'] });
    person.asked = [];
    const refused = await client.call('read_profile').catch((error: unknown) => ({ error }));
    expect(refused).not.toHaveProperty('structuredContent');
    expect(person.asked).toContain('tool:read_profile');
    await client.close();
  });
});

describe.each(clients)('%s', (_name, connect) => {
  test('asks for a paid tool when it is called, learns the price, and pays', async () => {
    const member = await registerReadable(app);
    const org = await app.registerOrgAdmin();
    const [member_id] = await findAliases(app, org, [member]);
    await spendAllowance(app, org);
    const person = new Person(decideAs(org.token, { tools: ['list_jobs'] }));
    const client = await connect(person);
    expect(await client.listTools()).toContain('query_archetype');
    person.answer = decideAs(org.token, { tools: ['list_jobs', 'query_archetype'], spend_cap: 1 });
    const unpaid = client.call('query_archetype', { member_id });
    await expect(unpaid).rejects.toMatchObject({
      code: -32_000,
      data: { type: 'payment_required', pricing: { price: expect.any(Number) } },
    });
    expect(person.asked).toEqual(['tool:list_jobs', 'tool:query_archetype']);
    const timestamp = Math.floor(app.clock.now().getTime() / 1000);
    const _payment = { tx_hash: createPayment(), timestamp };
    const { structuredContent } = await client.call('query_archetype', { member_id, _payment });
    expect(structuredContent).toMatchObject({ query_metadata: { data_type: 'archetype' } });
    await client.close();
  });
});

test('a person who says no is not asked again by the next call', async () => {
  const member = await app.registerMember();
  const person = new Person(decideAs(member.token, { tools: ['read_profile'] }));
  const client = await clients[0]![1](person);
  person.asked = [];
  for (const _ of [1, 2])
    expect(readProblem(await client.call('read_earnings')).code).toBe('tool_not_granted');
  expect(person.asked).toEqual([]);
  await client.close();
});
