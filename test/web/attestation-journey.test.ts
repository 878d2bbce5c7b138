import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '../harness.ts';
import { createPng, createVouchedMatch, createVouchedPlacement, listOffers } from '../modules/offers.ts';
import { password } from '../users.ts';
import { createVisitor, findForm, readText, type SeenPage, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

/** Sends a form with a file, as a browser without scripts does. */
async function sendWithFile(
  visitor: Visitor,
  page: SeenPage,
  fields: Readonly<Record<string, string>>,
  image: Buffer,
): Promise<SeenPage> {
  const form = findForm(page, 'send');
  const data = new FormData();
  for (const [name, value] of Object.entries({ ...form.hidden, ...fields })) data.set(name, value);
  data.set('image', new File([new Uint8Array(image)], 'badge.png', { type: 'image/png' }));
  const body = new Response(data);
  const reply = await app.server.inject({
    method: 'POST',
    url: form.to,
    headers: {
      'content-type': body.headers.get('content-type')!,
      origin: app.platform.config.publicUrl,
      'sec-fetch-site': 'same-origin',
    },
    cookies: Object.fromEntries(visitor.cookies),
    payload: Buffer.from(await body.arrayBuffer()),
  });
  const { location } = reply.headers;
  if (reply.statusCode === 303 && location !== undefined) return visitor.open(location);
  return { status: reply.statusCode, address: form.to, html: reply.payload, headers: reply.headers };
}

const definition = {
  name: 'Night lead',
  description: 'Leads a ward at night.',
  criteria: 'Led a ward for a hundred nights.',
  framework: 'onet',
  code: '29-1141.00',
  code_name: 'Registered Nurses',
};

it('an organisation defines an achievement with a picture, attests it, and its member accepts with one press', async () => {
  const match = await createVouchedMatch(app);
  const recruiter = await logIn(match.org);
  const page = await recruiter.open('/app/achievements');
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const refused = await sendWithFile(recruiter, page, definition, script);
  expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('PNG, JPEG or WebP')]);
  expect(refused.html).toContain('value="Night lead"');
  const defined = await sendWithFile(recruiter, page, definition, createPng(64));
  expect(readText(defined)).toContain('Led a ward for a hundred nights.');
  const [, image = ''] = /<img[^>]*src="([^"]*)"/.exec(defined.html)!;
  expect((await app.server.inject({ url: image })).headers['content-type']).toBe('image/png');

  const attesting = await recruiter.open(`/app/attestations/new?match_id=${match.match_id}`);
  const [, achievement_id = ''] = /value="([0-9a-f-]{36})"[^>]*>\s*<span>Night lead/.exec(attesting.html)!;
  const attested = await recruiter.send(attesting, 'send', {
    match_id: match.match_id,
    what: achievement_id,
    statement: '',
  });
  expect(readText(attested)).toContain('Night lead');
  expect(readText(attested)).toContain('Waiting for an answer');

  const member = await logIn(match.member);
  const home = await member.open('/app');
  expect(readText(home)).toContain('A credential waits for you');
  const offered = await member.open('/app/credentials');
  for (const words of ['Night lead', match.domain, 'Led a ward for a hundred nights.'])
    expect(readText(offered)).toContain(words);
  const accepted = await member.send(offered, 'accept');
  expect(accepted.address).toMatch(/^\/app\/credentials\/[0-9a-f-]{36}\?notice=offerAccepted$/);
  expect(readText(accepted)).toContain('Stated by an organisation');
  expect(readText(await member.open('/app'))).not.toContain('waits for you');

  const list = await recruiter.open('/app/attestations');
  expect(readText(list)).toContain('Accepted');
  const revoked = await recruiter.send(list, 'revoke', { reason: 'It was another ward.' });
  expect(readText(revoked)).toContain('Reason: It was another ward.');
  expect(readText(await member.open(accepted.address))).toContain('It was another ward.');
});

it('a member says that a recorded placement is wrong before it is offered', async () => {
  const match = await createVouchedPlacement(app);
  const member = await logIn(match.member);
  const page = await member.open('/app/credentials');
  expect(readText(page)).toContain('Recorded, and offered soon');
  const empty = await member.send(page, 'dispute', { reason: ' ' });
  expect(empty.status).toBe(422);
  await member.send(page, 'dispute', { reason: 'I began in May.' });
  expect(await listOffers(app, match.member.token)).toMatchObject([{ status: 'disputed' }]);
  const recruiter = await logIn(match.org);
  expect(readText(await recruiter.open('/app/attestations'))).toContain('I began in May.');
});

it('several people are attested by a table, whose faults are all shown', async () => {
  const match = await createVouchedMatch(app);
  const recruiter = await logIn(match.org);
  const page = await recruiter.open('/app/attestations/table');
  expect(page.html).toContain(`${match.match_id},,,`);
  const csv = `match_id,statement,expiry_days\n${match.match_id},Fine.,0\nnobody,Fine.,\n`;
  const refused = await recruiter.send(page, 'send', { csv });
  expect([refused.status, readText(refused)]).toEqual([
    422,
    expect.stringContaining('ine 2, column expiry_days'),
  ]);
  expect(readText(refused)).toContain('line 3, column match_id');
  const sent = await recruiter.send(page, 'send', { csv: `match_id,statement\n${match.match_id},Fine.\n` });
  expect(sent.address).toBe('/app/attestations?notice=attestationsOffered');
});

it('an organisation without a proven domain reads how to get one', async () => {
  const match = await createVouchedMatch(app);
  await app.sql.run(sql`delete from organisation_domains where org_id = ${match.org.org_id}`);
  const recruiter = await logIn(match.org);
  const page = await recruiter.open('/app/attestations/new');
  const fields = { match_id: match.match_id, what: 'statement', statement: 'Fine.' };
  const refused = await recruiter.send(page, 'send', fields);
  expect([refused.status, readText(refused)]).toEqual([403, expect.stringContaining('proven domain')]);
});
