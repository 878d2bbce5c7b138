import { describe, expect, it } from 'vitest';
import { createColleague } from '../colleague.ts';
import { startApp } from '../harness.ts';
import { createSubscription, deliverDue, emitProposal } from '../modules/webhooks.ts';
import { password } from '../users.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';
import { createVisitor, readText, type SeenPage, unescapeHtml, type Visitor } from './visitor.ts';

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true' });
const admin = await app.registerOrgAdmin();
const visitor = await logIn(admin.email);
const receiver = await startWebhookReceiver();

async function logIn(email: string): Promise<Visitor> {
  const each = createVisitor(app);
  await each.send(await each.open('/sign-in'), 'send', { email, password });
  return each;
}

const readSecret = ({ html }: SeenPage) => unescapeHtml(/<pre[^>]*><code>(whsec_[^<]+)</.exec(html)![1]!);

describe('an administrator without scripts', () => {
  let path: string;

  it('adds a webhook for some events, and sees its secret once', async () => {
    const form = await visitor.open('/app/webhooks/new');
    const refused = await visitor.send(form, 'send', { url: 'ftp://hooks.example.org/' });
    expect([refused.status, readText(refused)]).toEqual([422, expect.stringContaining('https URL')]);
    const fields = { url: `${receiver.url}/hooks`, event_match_proposed: 'true' };
    const created = await visitor.send(form, 'send', fields);
    receiver.secrets = [readSecret(created)];
    expect(readText(created)).toContain('export function verifyWebhook');
    path = /href="(\/app\/webhooks\/[0-9a-f-]{36})"/.exec(created.html)![1]!;
    const page = await visitor.open(path);
    expect(readText(page)).toContain('Nothing sent yet');
    expect(readText(page)).toContain('Events match.proposed');
    expect(page.html).not.toContain(receiver.secrets[0]);
    expect(readText(await visitor.open('/app/webhooks'))).toContain(fields.url);
  });

  it('sends a test event, reads what was sent and replied, and sends it again', async () => {
    const delivery = await visitor.send(await visitor.open(path), 'test');
    // The page loads itself again until the outcome is known.
    expect(delivery.html).toMatch(/data-refresh-seconds/);
    app.clock.advance(46_000);
    const overdue = await visitor.open(delivery.address.split('?', 1)[0]!);
    expect(overdue.html).not.toMatch(/data-refresh-seconds/);
    await app.drainQueue();
    const page = await visitor.open(delivery.address.split('?', 1)[0]!);
    expect(page.html).not.toMatch(/data-refresh-seconds/);
    for (const words of ['webhook.test', 'Delivered', 'HTTP 200', 'X-Service-Delivery', '"subscription_id"'])
      expect(readText(page)).toContain(words);
    await visitor.send(page, 'replay');
    await app.drainQueue();
    expect(receiver.received.map(({ event }) => event?.type)).toEqual(['webhook.test', 'webhook.test']);
    expect(readText(await visitor.open(path))).toContain('Health Working');
  });

  it('pauses it, enables it, and recovers what it has missed', async () => {
    await visitor.send(await visitor.open(path), 'pause');
    await emitProposal(app, admin.org_id);
    await app.drainQueue();
    const failed = readText(await visitor.open(`${path}?status=failed`));
    expect(failed).toContain('Health Inactive');
    expect(failed).toContain('The webhook was inactive');
    receiver.received.length = 0;
    await visitor.send(await visitor.open(path), 'enable');
    const since = app.clock.now().toISOString().slice(0, 10);
    await visitor.send(await visitor.open(path), 'recover', { since });
    await app.drainQueue();
    expect(receiver.received.map(({ event }) => event?.type)).toEqual(['match.proposed']);
    expect(readText(await visitor.open(`${path}?status=failed`))).toContain('There is none of this kind.');
  });

  it('reads why a server fails, and when the next attempt is', async () => {
    receiver.reply = (response) => response.writeHead(503).end('<b>try later</b>');
    const delivery = await visitor.send(await visitor.open(path), 'test');
    const id = path.split('/').at(-1)!;
    await deliverDue(app, { id, org_id: admin.org_id, secret: '' });
    const page = await visitor.open(delivery.address.split('?', 1)[0]!);
    expect(readText(page)).toContain('HTTP 503 The reply was not 2xx');
    expect(readText(page)).toContain('<b>try later</b>');
    expect(page.html).not.toContain('<b>try');
    const shown = readText(await visitor.open(path));
    expect(shown).toContain('The last attempt has failed.');
    expect(shown).toMatch(/ at \d\d:\d\d:\d\d UTC: The reply was not 2xx \(HTTP 503\)/);
    expect(shown).toContain('The reply <b>try later</b> See the delivery');
    expect(shown).not.toContain('none is planned');
    app.clock.advance(1_000);
    receiver.reply = (response) => response.writeHead(410).end();
    await visitor.send(await visitor.open(path), 'test');
    await deliverDue(app, { id, org_id: admin.org_id, secret: '' });
    for (const address of [path, '/app/webhooks'])
      expect(readText(await visitor.open(address))).toContain('replied that its address is gone');
    await visitor.send(await visitor.open(path), 'enable');
    receiver.reply = (response) => response.end('ok');
  });

  it('changes the address and the events, and rotates the secret with an overlap', async () => {
    const edited = await visitor.send(await visitor.open(`${path}/edit`), 'send', {
      url: `${receiver.url}/other`,
    });
    expect(readText(edited)).toContain('All events');
    const rotate = await visitor.open(`${path}/rotate`);
    const rotated = await visitor.send(rotate, 'send', { overlap_seconds: '3600' });
    const secret = readSecret(rotated);
    expect(secret).not.toBe(receiver.secrets[0]);
    expect(readText(await visitor.open(path))).toContain('signature by the previous secret until');
    receiver.received.length = 0;
    await visitor.send(await visitor.open(path), 'test');
    await app.drainQueue();
    expect(receiver.received.length).toBeGreaterThan(0);
    expect(receiver.received.every(({ path: at, event }) => at === '/other' && event)).toBe(true);
  });

  it('deletes it after its consequences', async () => {
    const page = await visitor.open(`${path}/delete`);
    expect(readText(page)).toContain('history of its deliveries is deleted');
    const list = await visitor.send(page, 'send');
    expect(list.address).toContain('notice=webhookDeleted');
    expect((await visitor.open(path)).status).toBe(404);
  });
});

it('a viewer sees webhooks and changes nothing, an auditor sees none, and another organisation finds none', async () => {
  const { id } = await createSubscription(app, admin.token, { url: receiver.url });
  const viewer = await logIn((await createColleague(app, admin.org_id, 'org_viewer')).email);
  const page = await viewer.open(`/app/webhooks/${id}`);
  expect(readText(page)).toContain('Administrators can change webhooks.');
  expect(page.html).not.toContain('method="post"');
  for (const sub of ['edit', 'rotate', 'delete'])
    expect((await viewer.open(`/app/webhooks/${id}/${sub}`)).html).not.toContain('method="post"');
  const auditor = await logIn((await createColleague(app, admin.org_id, 'auditor')).email);
  expect((await auditor.open('/app')).html).not.toContain('href="/app/webhooks"');
  expect((await auditor.open('/app/webhooks')).status).toBe(403);
  const stranger = await logIn((await app.registerOrgAdmin()).email);
  expect((await stranger.open(`/app/webhooks/${id}`)).status).toBe(404);
});
