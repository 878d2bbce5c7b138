import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startApp } from '#test/harness.ts';
import { proves } from '#test/requirements.ts';
import { filledProfile } from '#test/users.ts';
import { sql } from '#platform/database/database.ts';
import { fillMeans, createJob, listStoredMatches, tierMeans } from '#test/modules/matching.ts';

/**
 * Moves one match at random through the real API: by the organisation, the member, outcomes, the job's status and consent. After every step the
 * stored status must be the one that this small model predicts. The model does not use `rules.ts`.
 */
type Model = {
  status: string;
  job: 'active' | 'closed' | 'draft';
  consented: boolean;
  /** An incomplete profile pauses matching. */
  complete: boolean;
  /** The status of the match when it expired or was withdrawn. */
  endedFrom: string;
  /** How often the member was informed of the interest. */
  proposals: number;
  /** The last recorded outcome; empty if there is none. */
  outcome: string;
  /** Whether an interest can be undone before the member is informed of it. */
  isWaiting: boolean;
  readonly events: string[];
};

type System = { readonly job_id: string };
type Command = fc.AsyncCommand<Model, System>;

const app = await startApp();
const org = await app.registerOrgAdmin();
const member = await app.registerDeployedMember({ mean: fillMeans(tierMeans.strong) });
await app.drainQueue();

const openStatuses = new Set(['pending_review', 'org_interested', 'member_accepted']);

const findMatch = async ({ job_id }: System) =>
  (await listStoredMatches(app, job_id)).find(({ member_id }) => member_id === member.member_id);

async function checkAgreement(model: Model, system: System): Promise<void> {
  expect((await findMatch(system))?.match_status ?? 'none').toBe(model.status);
  const events = await app.sql.list(sql<{ type: string }>`
    select type from events where (type like 'match.%' or type like 'placement.%') and data->>'job_id' = ${system.job_id} order by created_at, id`);
  expect(events.map(({ type }) => type)).toEqual(model.events);
}

/** Creates a request that moves the match from `from` to `to` if the model allows it, and is refused otherwise. */
function createMove(
  name: string,
  send: (match_id: string) => Promise<{ readonly status: number }>,
  {
    from,
    to,
    event,
    byMember = false,
  }: { from: string; to: string; event?: string | undefined; byMember?: boolean },
): Command {
  return {
    toString: () => name,
    check: ({ status }) => status !== 'none',
    run: async (model, system) => {
      // Events with the same time would have no defined order.
      app.clock.advance(1_000);
      const { status } = await send((await findMatch(system))!.id);
      const canProceed = openStatuses.has(to) ? model.job === 'active' && isDeployed(model) : true;
      const isAllowed = !byMember || isDeployed(model);
      const moves = isAllowed && canProceed && model.status === from;
      const isRepeated = isAllowed && model.status === to;
      const expected = moves || isRepeated ? 200 : isAllowed ? 409 : 403;
      expect([name, model, status]).toEqual([name, model, expected]);
      if (moves) {
        model.status = to;
        if (event) model.events.push(event);
      }
      await checkAgreement(model, system);
    },
  };
}

const putStatus = (id: string, body: object) =>
  app.request('PUT', `/matches/${id}/status`, { token: org.token, body });

const setStatus = (to: string, from: string, event?: string) =>
  createMove(`organisation sets ${to}`, (id) => putStatus(id, { status: to }), { from, to, event });

const proposals_max = 3;

/** Expresses an interest that is announced at once, or could be undone until it was announced. */
function sendInterest(undo_seconds: number): Command {
  return {
    toString: () => `organisation is interested, undo ${undo_seconds}`,
    check: ({ status }) => status !== 'none',
    run: async (model, system) => {
      app.clock.advance(1_000);
      const { status } = await putStatus((await findMatch(system))!.id, {
        status: 'org_interested',
        undo_seconds,
      });
      const canProceed = model.job === 'active' && isDeployed(model) && model.proposals < proposals_max;
      const moves = model.status === 'pending_review' && canProceed;
      const isRepeated = model.status === 'org_interested';
      expect([model, status]).toEqual([model, moves || isRepeated ? 200 : 409]);
      if (moves) {
        model.status = 'org_interested';
        model.isWaiting = undo_seconds > 0;
        if (!model.isWaiting) announce(model);
      }
      await checkAgreement(model, system);
    },
  };
}

function announce(model: Model): void {
  model.isWaiting = false;
  model.proposals++;
  model.events.push('match.proposed');
}

/** Runs the tasks that wait, among them the announcement of an interest. */
const waitForAnnouncement: Command = {
  toString: () => 'the seconds of an undo are over',
  check: () => true,
  run: async (model, system) => {
    app.clock.advance(1_000);
    await app.drainQueue();
    announceWaiting(model);
    await checkAgreement(model, system);
  },
};

function announceWaiting(model: Model): void {
  if (model.isWaiting && model.status === 'org_interested') announce(model);
  model.isWaiting = false;
}

/** Takes a decision back, or withdraws an interest with a pass. */
function takeBack(to: 'pending_review' | 'org_passed'): Command {
  return {
    toString: () => `organisation takes back, now ${to}`,
    check: ({ status }) => status !== 'none',
    run: async (model, system) => {
      app.clock.advance(1_000);
      const { status } = await putStatus((await findMatch(system))!.id, { status: to });
      const canProceed = to === 'org_passed' || (model.job === 'active' && isDeployed(model));
      const from =
        to === 'org_passed' ? ['org_interested', 'pending_review'] : ['org_interested', 'org_passed'];
      const moves = canProceed && from.includes(model.status);
      expect([to, model, status]).toEqual([to, model, moves || model.status === to ? 200 : 409]);
      if (moves) {
        if (model.status === 'org_interested' && !model.isWaiting)
          model.events.push('match.interest_withdrawn');
        if (to === 'pending_review' && model.status === 'org_passed') model.events.push('match.reopened');
        model.isWaiting = false;
        model.status = to;
      }
      await checkAgreement(model, system);
    },
  };
}

const respond = (decision: string, to: string, event: string) =>
  createMove(
    `member responds ${decision}`,
    (id) => app.request('POST', `/matches/${id}/response`, { token: member.token, body: { decision } }),
    { from: 'org_interested', to, event, byMember: true },
  );

const outcomesAfter: Readonly<Record<string, readonly string[]>> = {
  '': ['placed', 'not_placed'],
  placed: ['extended', 'left'],
  extended: ['extended', 'left'],
};

/** Records an outcome, and predicts whether it is accepted: it follows from the last one, the match allows it, and the member consents. */
function recordOutcome(outcome: string): Command {
  const to = outcome === 'not_placed' ? 'closed' : 'placed';
  return {
    toString: () => `organisation records ${outcome}`,
    check: ({ status }) => status !== 'none',
    run: async (model, system) => {
      app.clock.advance(1_000);
      const { id } = (await findMatch(system))!;
      const { status } = await app.request('POST', `/matches/${id}/outcome`, {
        token: org.token,
        body: { outcome },
      });
      const isPossible = model.status === 'member_accepted' || model.status === to;
      const follows = outcomesAfter[model.outcome]?.includes(outcome) ?? false;
      const isRecorded = isPossible && follows && model.consented;
      expect([outcome, model, status]).toEqual([outcome, model, isRecorded ? 201 : 409]);
      if (isRecorded) {
        model.status = to;
        model.outcome = outcome;
        if (outcome !== 'not_placed')
          model.events.push(outcome === 'placed' ? 'placement.created' : 'placement.updated');
      }
      await checkAgreement(model, system);
    },
  };
}

/** Changes the status of the job and predicts the effect on the match after all tasks have run. */
function setJobStatus(to: Model['job']): Command {
  return {
    toString: () => `job becomes ${to}`,
    check: () => true,
    run: async (model, system) => {
      app.clock.advance(1_000);
      await app.request('PATCH', `/orgs/me/jobs/${system.job_id}`, {
        token: org.token,
        body: { status: to },
      });
      await app.drainQueue();
      announceWaiting(model);
      if (to === 'closed' && openStatuses.has(model.status)) endMatch(model, 'expired');
      const isReopened = to === 'active' && model.job !== 'active';
      model.job = to;
      if (isReopened && model.status === 'expired' && model.endedFrom === 'pending_review')
        model.status = 'none';
      if (isReopened) computeMatch(model);
      await checkAgreement(model, system);
    },
  };
}

const recompute: Command = {
  toString: () => 'organisation computes',
  check: ({ job }) => job === 'active',
  run: async (model, system) => {
    app.clock.advance(1_000);
    await app.request('POST', `/matches/compute?job_id=${system.job_id}`, { token: org.token });
    await app.drainQueue();
    announceWaiting(model);
    computeMatch(model);
    await checkAgreement(model, system);
  },
};

function setConsent(granted: boolean): Command {
  return {
    toString: () => `member ${granted ? 'consents' : 'withdraws consent'}`,
    check: ({ consented }) => consented !== granted,
    run: async (model, system) => {
      app.clock.advance(1_000);
      await app.request('POST', '/members/me/consent', {
        token: member.token,
        body: { consent_type: 'matching', granted, version: '1.0' },
      });
      await app.drainQueue();
      announceWaiting(model);
      model.consented = granted;
      if (!granted && openStatuses.has(model.status)) endMatch(model, 'withdrawn');
      returnToMatching(model);
      await checkAgreement(model, system);
    },
  };
}

/** Fills in or clears a field of the profile. Clearing it changes no match. */
function setProfile(complete: boolean): Command {
  return {
    toString: () => `member ${complete ? 'completes' : 'clears'} the profile`,
    check: (model) => model.complete !== complete,
    run: async (model, system) => {
      app.clock.advance(1_000);
      await app.request('PUT', '/members/me/profile', {
        token: member.token,
        body: complete ? filledProfile : {},
      });
      await app.drainQueue();
      announceWaiting(model);
      model.complete = complete;
      returnToMatching(model);
      await checkAgreement(model, system);
    },
  };
}

const isDeployed = ({ consented, complete }: Model) => consented && complete;

/** Predicts what happens when the member is deployed again: a withdrawn match on which no one had acted is replaced by a new one. */
function returnToMatching(model: Model): void {
  if (!isDeployed(model)) return;
  if (model.status === 'withdrawn' && model.endedFrom === 'pending_review') model.status = 'none';
  computeMatch(model);
}

/** The organisation learns of the end of a match in which it was interested. */
function endMatch(model: Model, status: 'expired' | 'withdrawn'): void {
  if (model.status !== 'pending_review') model.events.push(`match.${status}`);
  model.endedFrom = model.status;
  model.status = status;
}

/** Predicts a computation: it adds a match for a deployed member if none exists, and moves no other match. */
function computeMatch(model: Model): void {
  if (model.status === 'none' && isDeployed(model) && model.job === 'active') model.status = 'pending_review';
}

const isInterested = sendInterest(0);
const accept = respond('accept', 'member_accepted', 'match.accepted');

/** The first steps of a run. Most errors need a sequence of steps that random commands rarely produce. */
const beginnings = fc.constantFrom<readonly Command[]>(
  [],
  [isInterested],
  [isInterested, accept],
  [isInterested, accept, recordOutcome('placed')],
  [isInterested, accept, setStatus('closed', 'member_accepted')],
  [setJobStatus('closed'), setJobStatus('active')],
  [setJobStatus('draft')],
  [isInterested, setJobStatus('draft')],
  [sendInterest(10), takeBack('pending_review'), waitForAnnouncement],
  [isInterested, takeBack('org_passed'), takeBack('pending_review'), isInterested],
  [sendInterest(10), accept, waitForAnnouncement],
  [isInterested, setConsent(false)],
  [isInterested, accept, setProfile(false)],
  [isInterested, setProfile(false), setConsent(false)],
);

const commands = fc.commands<Model, System, false>(
  [
    fc.constantFrom(0, 10).map(sendInterest),
    fc.constantFrom<'pending_review' | 'org_passed'>('pending_review', 'org_passed').map(takeBack),
    fc.constant(waitForAnnouncement),
    fc.constant(setStatus('closed', 'member_accepted')),
    fc.constantFrom('placed', 'not_placed', 'extended', 'left').map(recordOutcome),
    fc.constantFrom('placed', 'extended', 'left').map(recordOutcome),
    fc.constant(accept),
    fc.constant(respond('decline', 'member_declined', 'match.declined')),
    fc.constantFrom<Model['job']>('active', 'closed', 'draft').map(setJobStatus),
    fc.constant(setJobStatus('closed')),
    fc.constant(setJobStatus('active')),
    fc.constant(recompute),
    fc.boolean().map(setConsent),
    fc.constant(setConsent(true)),
    fc.boolean().map(setProfile),
    fc.constant(setProfile(true)),
  ],
  { maxCommands: 10, size: 'max' },
);

async function createMatch(): Promise<{ model: Model; system: System }> {
  await app.request('POST', '/members/me/consent', {
    token: member.token,
    body: { consent_type: 'matching', granted: true, version: '1.0' },
  });
  await app.request('PUT', '/members/me/profile', { token: member.token, body: filledProfile });
  app.clock.advance(1_000);
  const job_id = await createJob(app, org.token);
  await app.drainQueue();
  const model: Model = {
    status: 'pending_review',
    job: 'active',
    consented: true,
    complete: true,
    endedFrom: '',
    outcome: '',
    proposals: 0,
    isWaiting: false,
    events: [],
  };
  return { model, system: { job_id } };
}

test('after any sequence of steps a match has the status that the rules define, and a match that has ended never reopens', async () => {
  proves('match-status-pending-review-to-org-interested');
  await fc.assert(
    fc.asyncProperty(beginnings, commands, async (steps, generated) => {
      const { model, system } = await createMatch();
      for (const step of steps) await step.run(model, system);
      await fc.asyncModelRun(() => ({ model, real: system }), generated);
    }),
    { numRuns: 60 },
  );
});
