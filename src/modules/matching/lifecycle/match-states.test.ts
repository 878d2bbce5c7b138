import * as fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { sql } from '#platform/database/database.ts';
import { fillSlots, createJob, listStoredMatches, tierMeans } from '#test/modules/matching.ts';

/**
 * The life of one match, walked at random through the real API: organisation, member, job and consent move it, and after every step the
 * stored status is the one that this small model says. The model knows nothing of `rules.ts`.
 */
type Model = {
  status: string;
  job: 'active' | 'closed' | 'draft';
  deployed: boolean;
  /** What the match was when it expired or was withdrawn. */
  endedFrom: string;
  told: string[];
};

type Real = { readonly job_id: string };
type Command = fc.AsyncCommand<Model, Real>;

let app: TestApp;
let org: Awaited<ReturnType<TestApp['registerOrgAdmin']>>;
let member: Awaited<ReturnType<TestApp['registerDeployedMember']>>;
beforeAll(async () => {
  app = await startApp();
  org = await app.registerOrgAdmin();
  member = await app.registerDeployedMember({ mean: fillSlots(tierMeans.strong) });
  await app.drainQueue();
});

const open = new Set(['pending_review', 'org_interested', 'member_accepted']);

const matchOf = async ({ job_id }: Real) =>
  (await listStoredMatches(app, job_id)).find(({ member_id }) => member_id === member.member_id);

async function agree(model: Model, real: Real): Promise<void> {
  expect((await matchOf(real))?.match_status ?? 'none').toBe(model.status);
  const told = await app.sql.list(sql<{ type: string }>`
    select type from events where type like 'match.%' and data->>'job_id' = ${real.job_id} order by created_at, id`);
  expect(told.map(({ type }) => type)).toEqual(model.told);
}

/** One call that moves the match from `from`, where the model lets it, and is refused everywhere else. */
function move(
  name: string,
  send: (match_id: string) => Promise<{ readonly status: number }>,
  {
    from,
    to,
    news,
    byMember = false,
  }: { from: string; to: string; news?: string | undefined; byMember?: boolean },
): Command {
  return {
    toString: () => name,
    check: ({ status }) => status !== 'none',
    run: async (model, real) => {
      // Events of one instant would have no order.
      app.clock.advance(1_000);
      const { status } = await send((await matchOf(real))!.id);
      const goesOn = open.has(to) ? model.job === 'active' && model.deployed : true;
      const gate = !byMember || model.deployed;
      const moved = gate && goesOn && model.status === from;
      const same = gate && model.status === to;
      expect([name, model, status]).toEqual([name, model, moved || same ? 200 : gate ? 409 : 403]);
      if (moved) {
        model.status = to;
        if (news) model.told.push(news);
      }
      await agree(model, real);
    },
  };
}

const setsStatus = (to: string, from: string, news?: string) =>
  move(
    `organisation sets ${to}`,
    (id) => app.request('PUT', `/matches/${id}/status`, { token: org.token, body: { status: to } }),
    { from, to, news },
  );

const answers = (decision: string, to: string, news: string) =>
  move(
    `member answers ${decision}`,
    (id) => app.request('POST', `/matches/${id}/response`, { token: member.token, body: { decision } }),
    { from: 'org_interested', to, news, byMember: true },
  );

/** A job's status, and what it does to the match when the tasks have run. */
function setsJob(to: Model['job']): Command {
  return {
    toString: () => `job becomes ${to}`,
    check: () => true,
    run: async (model, real) => {
      app.clock.advance(1_000);
      await app.request('PATCH', `/orgs/me/jobs/${real.job_id}`, { token: org.token, body: { status: to } });
      await app.drainQueue();
      if (to === 'closed' && open.has(model.status)) end(model, 'expired');
      const opened = to === 'active' && model.job !== 'active';
      model.job = to;
      if (opened && model.status === 'expired' && model.endedFrom === 'pending_review') model.status = 'none';
      if (opened) compute(model);
      await agree(model, real);
    },
  };
}

const recomputes: Command = {
  toString: () => 'organisation computes',
  check: ({ job }) => job === 'active',
  run: async (model, real) => {
    app.clock.advance(1_000);
    await app.request('POST', `/matches/compute?job_id=${real.job_id}`, { token: org.token });
    await app.drainQueue();
    compute(model);
    await agree(model, real);
  },
};

function consents(granted: boolean): Command {
  return {
    toString: () => `member ${granted ? 'consents' : 'withdraws'}`,
    check: ({ deployed }) => deployed !== granted,
    run: async (model, real) => {
      app.clock.advance(1_000);
      await app.request('POST', '/members/me/consent', {
        token: member.token,
        body: { consent_type: 'matching', granted, version: '1' },
      });
      await app.drainQueue();
      model.deployed = granted;
      if (!granted && open.has(model.status)) end(model, 'withdrawn');
      if (granted && model.status === 'withdrawn' && model.endedFrom === 'pending_review')
        model.status = 'none';
      if (granted) compute(model);
      await agree(model, real);
    },
  };
}

function end(model: Model, status: string): void {
  model.endedFrom = model.status;
  model.status = status;
}

/** A computation proposes a deployed member for review where there is no match, and moves nothing else. */
function compute(model: Model): void {
  if (model.status === 'none' && model.deployed && model.job === 'active') model.status = 'pending_review';
}

const isInterested = setsStatus('org_interested', 'pending_review', 'match.proposed');
const accepts = answers('accept', 'member_accepted', 'match.accepted');

/** Where a walk begins: most of what can go wrong lies behind steps that chance alone seldom takes in a row. */
const beginnings = fc.constantFrom<readonly Command[]>(
  [],
  [isInterested],
  [isInterested, accepts],
  [setsJob('closed'), setsJob('active')],
  [setsJob('draft')],
  [isInterested, setsJob('draft')],
  [isInterested, consents(false)],
);

const commands = fc.commands<Model, Real, false>(
  [
    fc.constant(isInterested),
    fc.constant(setsStatus('org_passed', 'pending_review')),
    fc.constant(setsStatus('closed', 'member_accepted')),
    fc.constant(accepts),
    fc.constant(answers('decline', 'member_declined', 'match.declined')),
    fc.constantFrom<Model['job']>('active', 'closed', 'draft').map(setsJob),
    fc.constant(setsJob('closed')),
    fc.constant(setsJob('active')),
    fc.constant(recomputes),
    fc.boolean().map(consents),
    fc.constant(consents(true)),
  ] as never,
  { maxCommands: 10, size: 'max' },
);

async function begin(): Promise<{ model: Model; real: Real }> {
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted: true, version: '1' },
  });
  app.clock.advance(1_000);
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const model: Model = { status: 'pending_review', job: 'active', deployed: true, endedFrom: '', told: [] };
  return { model, real: { job_id } };
}

test('whatever happens in whatever order, a match is where the rules say, and no end is ever left', async () => {
  proves('match-status-pending-review-to-org-interested');
  await fc.assert(
    fc.asyncProperty(beginnings, commands, async (steps, walked) => {
      const { model, real } = await begin();
      for (const step of steps) await step.run(model, real);
      await fc.asyncModelRun(() => ({ model, real }), walked as never);
    }),
    { numRuns: 40 },
  );
}, 120_000);
