import { expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '../harness.ts';
import {
  createPng,
  createVouchedMatch,
  createVouchedPlacement,
  listOffers,
  sendAttestation,
} from '../modules/offers.ts';
import { setConsent } from '../modules/credentials.ts';
import { password } from '../users.ts';
import { findMachineWords } from './list-machine-words.ts';
import { createVisitor, findForm, readText, type SeenPage, type Visitor } from './visitor.ts';

const app = await startApp();

async function logIn({ email }: { readonly email: string }): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

type SentFile = { readonly action: string; readonly name: string; readonly content: Buffer };

/** Sends a form with a file, as a browser without scripts does. */
async function sendWithFile(
  visitor: Visitor,
  page: SeenPage,
  fields: Readonly<Record<string, string>>,
  { action, name, content }: SentFile,
): Promise<SeenPage> {
  const form = findForm(page, action);
  const data = new FormData();
  for (const [field, value] of Object.entries({ ...form.hidden, ...fields })) data.set(field, value);
  data.set(name, new File([new Uint8Array(content)], 'chosen'));
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
  framework_0: 'onet',
  code_0: '29-1141.00',
  code_name_0: 'Registered Nurses',
};

const buildPicture = (content: Buffer, action = 'send'): SentFile => ({ action, name: 'image', content });
const buildTable = (content: string | Buffer): SentFile => ({
  action: 'upload',
  name: 'csv',
  content: Buffer.from(content),
});

it('an organisation defines an achievement with a picture, attests it, and its member accepts with one press', async () => {
  const match = await createVouchedMatch(app);
  const recruiter = await logIn(match.org);
  const page = await recruiter.open('/app/achievements');
  const script = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const refused = await sendWithFile(recruiter, page, definition, buildPicture(script));
  expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('PNG, JPEG or WebP')]);
  expect(refused.html).toContain('value="Night lead"');
  const defined = await sendWithFile(recruiter, page, definition, buildPicture(createPng(64)));
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
  const correspondence = 'Registered Nurses (O*NET)';
  for (const words of ['Night lead', match.domain, 'Led a ward for a hundred nights.', correspondence])
    expect(readText(offered)).toContain(words);
  const accepted = await member.send(offered, 'accept');
  expect(accepted.address).toMatch(/^\/app\/credentials\/[0-9a-f-]{36}\?notice=offerAccepted$/);
  expect(readText(accepted)).toContain('Stated by an organisation');
  expect(accepted.html).toMatch(/<h1[^>]*>\s*Night lead\s*<\/h1>/);
  // What is for programs, such as the id of the achievement, is in no words for people; its picture is in the badge.
  await setConsent(app, match.member.token, 'credential_sharing', true);
  const credential = `/credentials/${accepted.address.match(/[0-9a-f-]{36}/)?.[0]}`;
  const { token } = match.member;
  await app.request('PUT', `${credential}/visibility`, { token, body: { visibility: 'public' } });
  const { open_badge } = (await app.request('GET', credential, { token })).body.formats;
  const { credentialSubject } = JSON.parse(Buffer.from(open_badge.split('.')[1], 'base64url').toString());
  expect(new URL(credentialSubject.achievement.image.id).pathname).toBe(image);
  const verified = await member.open(credential.replace('/credentials', '/verify'));
  for (const seen of [accepted, verified]) {
    expect(readText(seen)).toContain('Led a ward for a hundred nights.');
    expect(readText(seen)).toMatch(/Corresponds to\s+Registered Nurses \(O\*NET\)/);
    expect(seen.html).toContain(
      '<a href="https://www.onetonline.org/link/summary/29-1141.00" rel="noreferrer nofollow"',
    );
    expect(findMachineWords(readText(seen))).toEqual([]);
  }
  expect((await member.open(`${verified.address}/badge`)).html).toContain(`${image}"`);
  expect(readText(await member.open('/app'))).not.toContain('waits for you');

  const list = await recruiter.open('/app/attestations');
  expect(readText(list)).toContain('Accepted');
  const revoked = await recruiter.send(list, 'revoke', { reason: 'It was another ward.' });
  expect(readText(revoked)).toContain('Reason: It was another ward.');
  expect(readText(await member.open(accepted.address))).toContain('It was another ward.');
});

it('an achievement is changed until it is offered, and then only archived', async () => {
  const match = await createVouchedMatch(app);
  const recruiter = await logIn(match.org);
  const open = () => recruiter.open('/app/achievements');
  await sendWithFile(recruiter, await open(), definition, buildPicture(createPng(64)));
  const read = async () =>
    (await app.request('GET', '/orgs/me/achievements', { token: match.org.token })).body.data[0];
  const { id, image_url } = await read();
  // No file was chosen, so the picture stays. A second code is added to the first.
  const further = { framework_1: 'esco', code_1: 'no address', code_name_1: 'Nursing' };
  const change = { ...definition, name: 'Ward lead', criteria: 'Led a ward for a year.', ...further };
  const none = buildPicture(Buffer.alloc(0), 'change');
  const refused = await sendWithFile(recruiter, await open(), change, none);
  expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('URI of a skill')]);
  const code_1 = 'http://data.europa.eu/esco/skill/ccd0a1d9-afda-43d9-b901-96344886e14d';
  const changed = await sendWithFile(recruiter, await open(), { ...change, code_1 }, none);
  expect(readText(changed)).toContain('Led a ward for a year.');
  const codes = [{ code: '29-1141.00' }, { code: code_1, framework: 'esco', name: 'Nursing' }];
  expect(await read()).toMatchObject({ id, name: 'Ward lead', image_url, alignments: codes });
  await sendWithFile(recruiter, await open(), { ...change, code_1, no_image: 'true' }, none);
  expect((await read()).image_url).toBeNull();

  const late = await open();
  await sendAttestation(app, match, { achievement_id: id });
  expect((await open()).html).not.toContain('value="change"');
  const ended = await sendWithFile(recruiter, late, { ...change, code_1, name: 'Other' }, none);
  expect([ended.status, (await read()).name]).toEqual([409, 'Ward lead']);
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

it('several people are attested by a file, and all faults of a faulty one are listed', async () => {
  const match = await createVouchedMatch(app);
  const recruiter = await logIn(match.org);
  const page = await recruiter.open('/app/attestations/table');
  const upload = (content: string | Buffer) => sendWithFile(recruiter, page, {}, buildTable(content));
  const faulty = Array.from({ length: 500 }, () => 'nobody,,many\n').join('');
  const refused = await upload(`match_id,statement,expiry_days\n${faulty}`);
  expect(refused.status).toBe(422);
  // Three faults in each row, one in a line: an id, days, and a statement.
  expect(refused.html.match(/[Ll]ine \d+, column \w+: /g)).toHaveLength(1_500);
  for (const [content, reason] of [
    [Buffer.from('match_id,statement\n1,M\xfcller\n', 'latin1'), 'CSV UTF-8'],
    ['match_id,statement\n', 'at least one row'],
  ] as const) {
    const { status, html } = await upload(content);
    expect([status, html]).toEqual([422, expect.stringContaining(reason)]);
  }
  const huge = await upload(Buffer.alloc(300_000, 'a'));
  expect(huge.status).toBe(413);
  expect(await listOffers(app, match.member.token)).toEqual([]);
  const sent = await upload(`\ufeffmatch_id;statement\r\n${match.match_id};"Led, and; taught"\r\n`);
  expect(sent.address).toBe('/app/attestations?notice=attestationsOffered');
  expect(await listOffers(app, match.member.token)).toMatchObject([
    { status: 'open', claims: { statement: 'Led, and; taught' } },
  ]);
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
