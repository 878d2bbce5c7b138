import { expect, it } from 'vitest';
import { answerAllItems, answerFirstStage } from '../assessment.ts';
import { startApp } from '../harness.ts';
import { makeArchetypeCertain } from '../modules/credentials.ts';
import { createStub } from '../modules/stubs.ts';
import { createEmail, password, type TestMember } from '../users.ts';
import { readPdfText } from '../read-pdf-text.ts';
import { findMachineWords } from './list-machine-words.ts';
import { createVisitor, readText, unescapeHtml, type Visitor } from './visitor.ts';

const app = await startApp();

async function registerMeasured(answer: typeof answerAllItems): Promise<TestMember> {
  const member = await app.registerMember({ name: 'Ada Lind' });
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
  });
  await answer(app, member.token);
  return member;
}

async function logIn({ email }: Pick<TestMember, 'email'>): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

/** The printed results as bytes: the visitor reads every reply as text. */
async function downloadResults({ cookies }: Visitor): Promise<Buffer> {
  const reply = await app.server.inject({ url: '/app/traits/pdf', cookies: Object.fromEntries(cookies) });
  return reply.rawPayload;
}

it('after the first stage, the page says in a sentence and a picture what is clear, and how many statements clear the rest', async () => {
  const member = await registerMeasured(answerFirstStage);
  const visitor = await logIn(member);
  const page = await visitor.open('/app/traits');
  expect(page.html).toMatch(/<figure class="fog">\s*<svg[\s\S]*<figcaption>[^<]+<\/figcaption>/);
  const { body } = await app.request('POST', '/members/me/assessment', { token: member.token, body: {} });
  const { items } = body.deepening as { items: number };
  expect(readText(page)).toContain(`About ${items} more statements,`);
  expect(page.html.indexOf('<figure')).toBeLessThan(page.html.indexOf('<details'));
});

it('a complete assessment promises no further statements', async () => {
  const visitor = await logIn(await registerMeasured(answerAllItems));
  expect(readText(await visitor.open('/app/traits'))).not.toMatch(/more statements?,/);
});

it('an archetype comes before its certainty, and everything about the others is folded', async () => {
  const member = await registerMeasured(answerFirstStage);
  await makeArchetypeCertain(app, member.member_id);
  const visitor = await logIn(member);
  const { html } = await visitor.open('/app/archetype');
  const { body } = await app.request('GET', '/members/me/archetype', { token: member.token });
  const places = [body.name, 'How certain this is', '<details', 'What it means', 'All twelve archetypes'];
  const found = places.map((words) => html.indexOf(String(words)));
  expect([found.includes(-1), found]).toEqual([false, found.toSorted((one, other) => one - other)]);
  const unfolded = readText({ ...(await visitor.open('/app/archetype')), html: html.slice(0, found[2]) });
  expect(unfolded.split(' ').length).toBeLessThan(260);
});

it('results are printed as a tagged PDF, which only their member gets, and nobody before a result', async () => {
  const member = await registerMeasured(answerFirstStage);
  const visitor = await logIn(member);
  const page = await visitor.open('/app/traits');
  expect(page.html).toContain('href="/app/traits/pdf"');
  const pdf = await visitor.open('/app/traits/pdf');
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf']);
  expect(pdf.headers['content-disposition']).toBe('attachment; filename="tessera-results.pdf"');
  for (const mark of ['%PDF-', '/Marked true', '/StructTreeRoot', 'pdfuaid'])
    expect(pdf.html).toContain(mark);
  const text = readPdfText(await downloadResults(visitor));
  expect(text).toContain('What is still open');
  expect(text.indexOf('What is clear')).toBeLessThan(text.indexOf('What is still open'));
  expect(text).toContain(unescapeHtml(/<figcaption>([^<]+)</.exec(page.html)![1]!.trim()).slice(0, 30));
  expect(findMachineWords(text)).toEqual([]);
  const newcomer = await logIn(await app.registerMember());
  expect((await newcomer.open('/app/traits/pdf')).status).toBe(404);
  expect((await createVisitor(app).open('/app/traits/pdf')).address).toContain('/sign-in');
  const organisation = await logIn(await app.registerOrgAdmin());
  expect((await organisation.open('/app/traits/pdf')).status).toBe(403);
});

it('what others have observed is no result to print, and asking for it begins no assessment', async () => {
  const { body: stub } = await createStub(app);
  const account = { email: createEmail(), password };
  const claim = { claim_code: stub.claim_code, tos_accepted: true, ...account };
  const { body } = await app.request('POST', '/identity/claim', { body: claim });
  await app.request('POST', '/members/me/consent', {
    token: body.access_token,
    body: { consent_type: 'assessment_data', granted: true, version: '1.0' },
  });
  expect((await (await logIn(account)).open('/app/traits/pdf')).status).toBe(404);
  const { body: member } = await app.request('GET', '/members/me', { token: body.access_token });
  expect(member.assessment_phase).toBe('not_started');
});
