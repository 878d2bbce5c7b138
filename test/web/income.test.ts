import { describe, expect, it } from 'vitest';
import { startApp } from '../harness.ts';
import { recordSoldRead, requestAndSendPayout, sample_destination } from '../modules/books.ts';
import { password, type TestMember } from '../users.ts';
import { createVisitor, readText, type Visitor } from './visitor.ts';

const app = await startApp({ TESSERA_PAYOUT_HOLD_SECONDS: '0' });

async function logIn({ email }: Pick<TestMember, 'email'>): Promise<Visitor> {
  const visitor = createVisitor(app);
  await visitor.send(await visitor.open('/sign-in'), 'send', { email, password });
  return visitor;
}

describe('the income page', () => {
  it('shows a new member nothing but what would raise the price', async () => {
    const visitor = await logIn(await app.registerMember());
    const text = readText(await visitor.open('/app/income'));
    expect(text).toContain('No organisation has paid to read your data yet.');
    expect(text).toContain('Nobody has read your data yet.');
    expect(text).toContain('Nothing has been paid out yet.');
    expect(text).toContain('Complete the assessment. Then it costs 1.5 times the base price.');
  });

  it('shows four figures that do not overlap, who read what for how much, and payouts', async () => {
    const member = await app.registerMember();
    const { org_id: orgId } = await app.registerOrgAdmin({ name: 'River <b>Murray</b> Trust' });
    await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0, org_id: orgId });
    await recordSoldRead(app, member.member_id, { gross: 250_000n, hold_seconds: 3_600, org_id: orgId });
    await recordSoldRead(app, member.member_id, { data_type: 'archetype', org_id: orgId });
    await requestAndSendPayout(app, member.token, 1);
    const visitor = await logIn(member);
    const page = await visitor.open('/app/income');
    const text = readText(page);
    for (const words of [
      'Pending US$0.1875',
      'Available US$2.00',
      'On its way US$0.00',
      'Paid out US$1.00',
      'US$3.1875 in all, from 2 paid reads. One organisation has read your data.',
      'One read was free: it earns recognition',
      'River <b>Murray</b> Trust: Archetype free',
      'paid US$0.25, of which US$0.1875 is yours',
      `US$1.00 to ${sample_destination} paid out`,
    ])
      expect(text).toContain(words);
    expect(page.html).not.toContain('<b>Murray</b>');
    expect(page.html).toMatch(
      /role="img"\s+aria-label="Month by month: The best month was March 2026, with US\$3.1875."/,
    );
  });

  it('pages through reads, and takes any other offset for the first page', async () => {
    const member = await app.registerMember();
    for (let read = 0; read < 21; read++) await recordSoldRead(app, member.member_id, { gross: 50_000n });
    const visitor = await logIn(member);
    expect((await visitor.open('/app/income')).html).toContain('href="/app/income?offset=20#reads"');
    expect((await visitor.open('/app/income?offset=20')).html).not.toContain('offset=40');
    for (const offset of ['-1', 'x', '1.5', '9999999'])
      expect((await visitor.open(`/app/income?offset=${offset}`)).status).toBe(200);
  });

  it('links to a receipt of each read and payout, which nobody else can open', async () => {
    const member = await app.registerMember();
    await recordSoldRead(app, member.member_id, { gross: 4_000_000n, hold_seconds: 0 });
    await requestAndSendPayout(app, member.token, 1);
    const visitor = await logIn(member);
    const stranger = await logIn(await app.registerMember());
    const links = [...(await visitor.open('/app/income')).html.matchAll(/href="([^"]+receipt)"/g)];
    expect(links).toHaveLength(2);
    for (const [, link] of links) {
      const file = await visitor.open(link!);
      expect([file.headers['content-type'], file.html.slice(0, 5)]).toEqual(['application/pdf', '%PDF-']);
      expect((await stranger.open(link!)).status).toBe(404);
    }
  });

  it('is for members alone', async () => {
    const visitor = await logIn(await app.registerOrgAdmin());
    expect((await visitor.open('/app/income')).status).toBeGreaterThanOrEqual(400);
  });
});
