import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { answerByLink, readInvitationToken } from '#test/modules/candidates.ts';
import { createJob, fillMeans, runTask, tierMeans } from '#test/modules/matching.ts';
import { connectAshby, connectGreenhouse, type TestPartner } from '#test/modules/partners.ts';
import { logInAgain, type TestMember } from '#test/users.ts';
import { endInvitations } from '#modules/matching/candidates';
import { followOrders } from './follow-orders.ts';

/**
 * What happens to one order, in any order: the recruiter sends, sends again and cancels, the person answers, agrees to matching or not, and is erased, time passes,
 * and the system cannot be reached. At the end the system must show what this small model says. The model does not use `rules.ts`.
 */
type Model = {
  invitation: 'none' | 'sent' | 'accepted' | 'declined' | 'withdrawn' | 'expired' | 'cancelled';
  consented: boolean;
  erased: boolean;
  cancelled: boolean;
  hadResult: boolean;
};

type World = {
  readonly partner: TestPartner;
  readonly order: { name: string; job_id: string; email: string };
  readonly member: TestMember;
  id: string;
  link: string | undefined;
};

type Command = fc.AsyncCommand<Model, World>;

const app = await startApp({ TESSERA_WEBHOOK_ALLOW_PRIVATE: 'true', TESSERA_RETENTION_SECONDS: '0' });
const day_ms = 86_400_000;

function requireSame(actual: unknown, expected: unknown): void {
  expect(actual).toBe(expected);
}

async function settle(): Promise<void> {
  await app.drainQueue();
  app.clock.advance(1_000);
  await runTask(app, followOrders, {});
  await app.drainQueue();
}

/** Whether a result exists: the person takes part, agrees to matching, and is there. */
const hasResult = ({ invitation, consented, erased, cancelled }: Model) =>
  invitation === 'accepted' && consented && !erased && !cancelled;

const define = (
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, world: World) => Promise<void>,
): Command => ({
  toString: () => name,
  check: (model) => check(model),
  run: async (model, world) => {
    await run(model, world);
    await settle();
    model.hadResult ||= hasResult(model);
  },
});

const isOpen = ({ invitation, erased }: Model) => invitation !== 'none' && !erased;

const send = define(
  'send',
  () => true,
  async (model, world) => {
    const { status, body } = await world.partner.send(world.order);
    const id = body.partner_interview_id ?? body.results?.assessment_id;
    const isFirst = model.invitation === 'none';
    // After an end that the person did not decide, the same request is a new order, if an email may be sent today.
    if (model.invitation === 'expired' || model.cancelled) return;
    requireSame(status, 200);
    if (!isFirst) return requireSame(id, world.id);
    model.invitation = 'sent';
    world.id = id;
    world.link = await readInvitationToken(app, world.order.email);
  },
);

const answer = (decision: 'accept' | 'decline') =>
  define(decision, isOpen, async (model, world) => {
    const { status } = await answerByLink(app, world.link, decision, await logInAgain(app, world.member));
    if (model.invitation === 'sent') model.invitation = decision === 'accept' ? 'accepted' : 'declined';
    else if (model.invitation === 'accepted' && decision === 'decline') model.invitation = 'withdrawn';
    else return;
    requireSame(status, 200);
  });

const agree = (granted: boolean) =>
  define(
    granted ? 'agree' : 'disagree',
    ({ erased }) => !erased,
    async (model, { member }) => {
      const body = { consent_type: 'matching', granted, version: '1.0' };
      await app.request('POST', '/members/me/consent', { token: await logInAgain(app, member), body });
      model.consented = granted;
    },
  );

const erase = define(
  'erase',
  ({ erased }) => !erased,
  async (model, { member }) => {
    await app.request('DELETE', '/members/me', { token: await logInAgain(app, member) });
    await app.drainQueue();
    await runTask(app, endInvitations, {});
    model.erased = true;
    if (model.invitation === 'accepted') model.invitation = 'withdrawn';
  },
);

const expire = define(
  'expire',
  () => true,
  async (model) => {
    app.clock.advance(15 * day_ms);
    if (model.invitation === 'sent') model.invitation = 'expired';
  },
);

const cancel = define(
  'cancel',
  ({ invitation }) => invitation !== 'none',
  async (model, { partner, id }) => {
    if (partner.name !== 'ashby') return;
    requireSame((await partner.cancel(id)).status, 200);
    model.cancelled = true;
    if (model.invitation === 'sent') model.invitation = 'cancelled';
  },
);

const cut = (requests: number) =>
  define(
    `cut ${requests}`,
    () => true,
    async (_model, { partner }) => {
      partner.cuts = requests;
    },
  );

/** What the system must show in the end. */
function computeExpected({ name }: TestPartner, model: Model): { status: string; hasResult: boolean } {
  if (hasResult(model)) return { status: name === 'ashby' ? 'Complete' : 'complete', hasResult: true };
  if (model.cancelled) return { status: 'cancelled', hasResult: false };
  if (name === 'ashby') {
    if (model.invitation === 'sent') return { status: 'sent', hasResult: false };
    const isStarted = model.invitation === 'accepted' && !model.hadResult;
    return { status: isStarted ? 'Started' : 'cancelled', hasResult: false };
  }
  const isRecalled = model.invitation === 'accepted' && model.hadResult;
  return { status: isRecalled ? 'withdrawn' : model.invitation, hasResult: false };
}

test.each([
  ['Greenhouse', connectGreenhouse],
  ['Ashby', connectAshby],
] as const)('%s shows in the end what it may know, whatever happened before', async (_name, connect) => {
  const commands = fc.commands<Model, World, false>(
    [
      fc.constant(send),
      fc.constant(answer('accept')),
      fc.constant(answer('decline')),
      fc.boolean().map(agree),
      fc.constant(erase),
      fc.constant(expire),
      fc.constant(cancel),
      fc.integer({ min: 1, max: 7 }).map(cut),
    ],
    { maxCommands: 8 },
  );
  const run = async (steps: Iterable<Command>) => {
    const world = await createWorld(await connect(app));
    const { partner } = world;
    const model: Model = {
      invitation: 'none',
      consented: true,
      erased: false,
      cancelled: false,
      hadResult: false,
    };
    await fc.asyncModelRun(() => ({ model, real: world }), [send, ...steps]);
    const expected = computeExpected(partner, model);
    const { status, tier, link } = partner.readView(world.id);
    expect({ status, hasResult: tier !== undefined }).toEqual(expected);
    expect(tier).toBe(expected.hasResult ? 'Strong match' : undefined);
    expect(link === undefined).toBe(!expected.hasResult);
    expect(partner.faults).toEqual([]);
  };
  await fc.assert(fc.asyncProperty(commands, run), {
    numRuns: 12,
    endOnFailure: true,
    examples: exampleSteps.map((steps): [Iterable<Command>] => [steps]),
  });
});

/** The sequences that matter most are tried in every run. */
const exampleSteps: readonly (readonly Command[])[] = [
  [send, answer('accept'), agree(false)],
  [answer('accept'), answer('decline'), send],
  [answer('accept'), agree(false), agree(true)],
  [answer('accept'), cut(7), agree(false)],
  [answer('accept'), erase],
  [answer('accept'), cancel, agree(false)],
  [answer('decline')],
  [expire],
];

async function createWorld(partner: TestPartner): Promise<World> {
  const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
  const job_id = await createJob(app, partner.org.token);
  await app.drainQueue();
  const order = { name: 'order-1', job_id, email: member.email };
  return { partner, order, member, id: '', link: undefined };
}
