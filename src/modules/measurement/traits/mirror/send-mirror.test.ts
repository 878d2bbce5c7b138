import { describe, expect, it } from 'vitest';
import { sql } from '#platform/database/database.ts';
import { startApp } from '#test/harness.ts';
import { answerMirror } from '#test/modules/first-mirror.ts';
import { createEmail } from '#test/users.ts';

const app = await startApp();
const send = (body: object) => app.request('POST', '/first-mirror/send', { body });
const readMail = async (email: string) => {
  await app.drainQueue();
  return (await app.readMails()).filter(({ to }) => to.includes(email));
};

describe('sending the link of a first mirror', () => {
  it('replies the same for every address, and only the email says whether it has an account', async () => {
    const { mirror } = await answerMirror(app, 3);
    const { email: known } = await app.registerMember();
    const unknown = createEmail();
    const replies = [await send({ mirror, email: known }), await send({ mirror, email: ` ${unknown} ` })];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    const mails = await Promise.all([readMail(known), readMail(unknown)]);
    expect(mails[0].at(-1)!.subject).toBe('Your answers, and your account');
    expect(mails[1].at(-1)!.subject).toBe('Keep your first answers');
  });

  it('stores the address only encrypted, and only until it is sent', async () => {
    const { mirror } = await answerMirror(app, 1);
    const email = createEmail();
    await send({ mirror, email });
    const list = () =>
      app.sql.list(sql<{ data: string }>`select data::text from tasks where name = 'traits.sendMirrorLink'`);
    expect(JSON.stringify(await list())).not.toContain(email.split('@')[0]);
    await app.drainQueue();
    expect(await list()).toEqual([]);
  });

  it('sends nothing that is more than an hour old', async () => {
    const { mirror } = await answerMirror(app, 1);
    const email = createEmail();
    await send({ mirror, email });
    app.clock.advance(3_600_001);
    expect(await readMail(email)).toEqual([]);
  });

  it('refuses a mirror without answers or after its hour, and what is no address', async () => {
    const empty = await answerMirror(app, 0);
    const refused = await send({ mirror: empty.mirror, email: createEmail() });
    expect([refused.status, refused.body.code]).toEqual([422, 'field_invalid']);
    const { mirror } = await answerMirror(app, 1);
    const wrong = await send({ mirror, email: 'nobody' });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'field_invalid']);
    app.clock.advance(3_600_001);
    const late = await send({ mirror, email: createEmail() });
    expect([late.status, late.body.code]).toEqual([410, 'mirror_expired']);
  });
});
