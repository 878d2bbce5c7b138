import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { createColleague } from '../colleague.ts';
import { startApp } from '../harness.ts';
import { findAliases, registerReadable, spendAllowance } from '../modules/reads.ts';
import { password } from '../users.ts';
import { createVisitor, readText, type SeenPage, unescapeHtml, type Visitor } from './visitor.ts';

const app = await startApp();
const member = await registerReadable(app, ['archetype', 'trait_profile']);
const org = await app.registerOrgAdmin();
const [alias] = (await findAliases(app, org, [member])) as [string];
const visitor = await logIn(org.email);

async function logIn(email: string): Promise<Visitor> {
  const each = createVisitor(app);
  await each.send(await each.open('/sign-in'), 'send', { email, password });
  return each;
}

describe('an administrator without scripts', () => {
  it('follows the link of a person, reads for free, and finds the read in the list', async () => {
    const { body } = await app.request('GET', '/orgs/me/jobs', { token: org.token });
    const shortlist = await visitor.open(`/app/jobs/${body.data[0].id}`);
    expect(shortlist.html).toContain(`/app/reads/new?member_id=${alias}`);
    const form = await visitor.open(`/app/reads/new?member_id=${alias}`);
    expect(readText(form)).toContain('Free reads left: 5');
    const read = await visitor.send(form, 'send', { data_type: 'trait_profile' });
    expect([read.status, readText(read)]).toEqual([200, expect.stringContaining('Integrity and trust')]);
    expect(readText(read)).toContain('Reads left today: 99');
    const list = readText(await visitor.open('/app/reads'));
    for (const words of ['99 of 100 reads', '4 of 5 reads', 'Traits: Person', 'free'])
      expect(list).toContain(words);
    const { html } = await visitor.open('/app/reads');
    expect(html).not.toContain(member.member_id);
    const receipt = await visitor.open(/href="([^"]+receipt)"/.exec(html)![1]!);
    expect([receipt.status, receipt.html.slice(0, 5)]).toEqual([200, '%PDF-']);
  });

  it('gets the reason of a refusal, and no read is used', async () => {
    const form = await visitor.open(`/app/reads/new?member_id=${alias}`);
    const refused = await visitor.send(form, 'send', { data_type: 'values_profile' });
    expect([refused.status, readText(refused)]).toEqual([
      403,
      expect.stringContaining('has not approved this kind of data'),
    ]);
    const wrong = await visitor.send(refused, 'send', { data_type: 'everything' });
    expect([wrong.status, readText(wrong)]).toEqual([422, expect.stringContaining('Choose what to read')]);
    expect(readText(wrong)).toContain('Free reads left: 4');
  });

  it('sees the price once the free reads are used up, even while the form was open, and how to fill the balance', async () => {
    const form = await visitor.open(`/app/reads/new?member_id=${alias}`);
    await spendAllowance(app, org);
    const refused = await visitor.send(form, 'send', { data_type: 'archetype' });
    const words = readText(refused);
    expect([refused.status, words]).toEqual([
      402,
      expect.stringContaining('Your prepaid balance has US$0.00'),
    ]);
    expect(words).toMatch(/For the person US\$0\.\d+: 75 % of the price are theirs/);
    expect(refused.html).toContain('href="/app/reads/balance"');
    const paid = await visitor.open(`/app/reads/new?member_id=${alias}`);
    expect(readText(paid)).toContain('Base price US$0.05');
  });
});

describe('wallets without scripts', () => {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const readMessage = ({ html }: SeenPage) => unescapeHtml(/<pre[^>]*><code>([^<]+)</.exec(html)![1]!);

  it('are added by a signature of the shown message, and removed', async () => {
    const form = await visitor.open('/app/reads/wallets');
    const refused = await visitor.send(form, 'send', { address: '0x12' });
    expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('Must be 0x and 40')]);
    const challenge = await visitor.send(form, 'send', { address: wallet.address });
    expect(readMessage(challenge)).toContain(wallet.address);
    const other = privateKeyToAccount(generatePrivateKey());
    const signature = await other.signMessage({ message: readMessage(challenge) });
    const again = await visitor.send(challenge, 'bind', { signature });
    expect(readText(again)).toContain('This is not the signature of that wallet');
    const added = await visitor.send(again, 'bind', {
      signature: await wallet.signMessage({ message: readMessage(again) }),
    });
    expect(added.address).toBe('/app/reads/wallets?notice=walletAdded');
    expect(readText(added)).toContain(wallet.address.toLowerCase());
    const remove = /href="(\/app\/reads\/wallets\/[0-9a-f-]{36})"/.exec(added.html)![1]!;
    const removed = await visitor.send(await visitor.open(remove), 'send');
    expect(readText(removed)).toContain('No wallet is added yet');
    expect((await visitor.open(remove)).status).toBe(404);
  });
});

it('a viewer sees reads and wallets, and can neither read nor add', async () => {
  const viewer = await logIn((await createColleague(app, org.org_id, 'org_viewer')).email);
  expect((await viewer.open('/app/reads')).status).toBe(200);
  expect((await viewer.open('/app/reads/wallets')).html).not.toContain('<form');
  const refused = await viewer.open(`/app/reads/new?member_id=${alias}`);
  expect(refused.html).not.toContain('<form');
});

it('another organisation reads nothing by the same address', async () => {
  const other = await logIn((await app.registerOrgAdmin()).email);
  const form = await other.open(`/app/reads/new?member_id=${alias}`);
  expect((await other.send(form, 'send', { data_type: 'archetype' })).status).toBe(404);
  expect(readText(await other.open('/app/reads'))).toContain('Nothing has been read yet');
});
