import { beforeAll, describe, expect, it } from 'vitest';
import { setTier } from '#modules/organisations/orgs';
import { createColleague } from '../colleague.ts';
import { startApp } from '../harness.ts';
import { buyRead, fillBalance, readLeft } from '../modules/balances.ts';
import { approveCategory, findAliases, registerReadable, spendAllowance } from '../modules/reads.ts';
import { password } from '../users.ts';
import { createVisitor, findForm, readText, type Visitor } from './visitor.ts';

const app = await startApp({ TESSERA_TOP_UP_PAYEE: 'Harbour Bank, account 17' });
const member = await registerReadable(app, ['archetype', 'trait_profile']);
const org = await app.registerOrgAdmin({ name: 'Harbour Health' });
const [alias] = (await findAliases(app, org, [member])) as [string];
const page = `/app/reads/new?member_id=${alias}`;
let visitor: Visitor;

async function logIn(email: string): Promise<Visitor> {
  const each = createVisitor(app);
  await each.send(await each.open('/sign-in'), 'send', { email, password });
  return each;
}

beforeAll(async () => {
  await setTier(app.platform, { org: org.org_id, tier: 'E1 Explorer' });
  await spendAllowance(app, org);
  visitor = await logIn(org.email);
});

describe('an administrator without scripts', () => {
  let reference: string;

  it('announces a transfer, and reads the reference and where to send the money', async () => {
    const form = await visitor.open('/app/reads/balance');
    const wrong = await visitor.send(form, 'send', { amount: '0.2' });
    expect([wrong.status, readText(wrong)]).toEqual([422, expect.stringContaining('at least 1')]);
    const announced = await visitor.send(form, 'send', { amount: '5' });
    expect(announced.address).toBe('/app/reads/balance?notice=topUpAnnounced');
    const words = readText(announced);
    expect(words).toContain('Harbour Bank, account 17');
    reference = /TOP-[0-9A-Z]{8}/.exec(words)![0];
    expect(words).toContain('Left US$0.00');
  });

  it('gets the money when the operator has recorded it on the page, once', async () => {
    const { email } = await app.registerPlatformAdmin();
    const operator = await logIn(email);
    const waiting = await operator.open('/app/operator/top-ups');
    expect(readText(waiting)).toContain(`${reference} US$5.00 Harbour Health`);
    const fields = { reference, amount: '4.5' };
    const recorded = await operator.send(waiting, 'send', fields);
    expect(recorded.address).toBe('/app/operator/top-ups?notice=topUpRecorded');
    expect(readText(recorded)).toContain('No organisation has announced money');
    const other = await operator.send(recorded, 'send', { reference, amount: '4.6' });
    expect([other.status, readText(other)]).toEqual([409, expect.stringContaining('recorded differently')]);
    expect(await readLeft(app, org)).toBe(4.5);
  });

  it('sees the price on the button with the share of the person, pays it, and finds it in the statement', async () => {
    const form = await visitor.open(page);
    expect(readText(form)).toContain('Your prepaid balance has US$4.50');
    const offer = await visitor.send(form, 'send', { data_type: 'trait_profile' });
    expect(offer.status).toBe(402);
    const { price } = findForm(offer, 'pay').hidden;
    expect(await readLeft(app, org)).toBe(4.5);
    const words = readText(offer);
    expect(words).toContain(`Pay US$${price} from the balance`);
    expect(words).toContain('75 % of the price are theirs');
    const [read, again] = await Promise.all([visitor.send(offer, 'pay'), visitor.send(offer, 'pay')]);
    for (const each of [read, again])
      expect([each.status, readText(each)]).toEqual([200, expect.stringContaining('Integrity and trust')]);
    expect(await readLeft(app, org)).toBeCloseTo(4.5 - Number(price), 6);
    const statement = readText(await visitor.open('/app/reads/balance'));
    expect(statement).toContain(`Money received: ${reference}`);
    expect(statement).toContain('Read: Traits');
    expect(readText(await visitor.open('/app/reads'))).toContain('paid from the balance');
    for (const [format, first] of [
      ['csv', 'numbe'],
      ['pdf', '%PDF-'],
    ] as const) {
      const file = await visitor.open(`/app/reads/balance/statement?format=${format}`);
      expect([file.status, file.html.slice(0, 5)]).toEqual([200, first]);
    }
  });

  it('pays nothing at another price than the button says', async () => {
    const before = await readLeft(app, org);
    const offer = await visitor.send(await visitor.open(page), 'send', { data_type: 'trait_profile' });
    const changed = await visitor.send(offer, 'pay', { price: '0.01' });
    expect([changed.status, readText(changed)]).toEqual([
      402,
      expect.stringContaining('The price has changed'),
    ]);
    expect(await readLeft(app, org)).toBe(before);
  });

  it('pays nothing when the person takes the approval back meanwhile', async () => {
    const before = await readLeft(app, org);
    const offer = await visitor.send(await visitor.open(page), 'send', { data_type: 'archetype' });
    await approveCategory(app, member, 'archetype', false);
    const refused = await visitor.send(offer, 'pay');
    expect([refused.status, readText(refused)]).toEqual([403, expect.stringContaining('Nothing was used')]);
    expect(await readLeft(app, org)).toBe(before);
    await approveCategory(app, member, 'archetype');
  });

  it('reads what to do when the balance is empty, and goes on after it was filled', async () => {
    const form = await visitor.open(page);
    const open = await visitor.send(form, 'send', { data_type: 'trait_profile' });
    const { price } = findForm(open, 'pay').hidden;
    while ((await readLeft(app, org)) >= Number(price)) await buyRead(app, org, alias);
    const late = await visitor.send(open, 'pay');
    const empty = await visitor.send(form, 'send', { data_type: 'trait_profile' });
    for (const each of [late, empty]) {
      expect([each.status, readText(each)]).toEqual([402, expect.stringContaining('Announce a transfer')]);
      expect(each.html).not.toContain('value="pay"');
      expect(each.html).toContain('href="/app/reads/balance"');
    }
    expect(readText(late)).toContain('The balance is below the price. Nothing was taken.');
    await fillBalance(app, org, 2);
    const filled = await visitor.send(form, 'send', { data_type: 'trait_profile' });
    expect((await visitor.send(filled, 'pay')).status).toBe(200);
  });

  it('sets the warning, and takes it away', async () => {
    const form = await visitor.open('/app/reads/balance');
    const set = await visitor.send(form, 'warn', { warn_below: '6' });
    expect(readText(set)).toMatch(/Left US\$\d\.\d+ low/);
    expect(set.html).toContain('value="6"');
    const wrong = await visitor.send(set, 'warn', { warn_below: '-2' });
    expect(wrong.status).toBe(422);
    expect((await visitor.send(set, 'warn', { warn_below: '' })).address).toContain('warningChanged');
  });
});

it('a viewer sees balance and statement, and can neither announce nor buy', async () => {
  const viewer = await logIn((await createColleague(app, org.org_id, 'org_viewer')).email);
  const shown = await viewer.open('/app/reads/balance');
  expect([shown.status, readText(shown)]).toEqual([200, expect.stringContaining('An administrator')]);
  expect(shown.html).not.toContain('method="post"');
});
