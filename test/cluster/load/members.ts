import { setTimeout as pause } from 'node:timers/promises';
import {
  createSeededRandom,
  drawBelow,
  drawStandardNormal,
  type Random,
} from '@tessera/psychometrics/seeded-random';
import { findItem, isGraded } from '#modules/measurement/traits';
import { sendUntilFinal } from './send-until-final.ts';
import { registerPerson, type Account } from './jobs-and-people.ts';
import type { Mailbox } from './mailbox.ts';
import type { Send } from './send.ts';
import type { WriteLog } from './write-log.ts';

/** A member who is measured, has matches and may be read. */
export type MeasuredMember = Account & { readonly member_id: string };

type Surroundings = { readonly log: WriteLog; readonly send: Send; readonly mailbox: Mailbox };

/** Answers that come faster than people read count little, and then there is nothing to read for money. */
const reading_ms = 1_300;

/** What the API says about an assessment. */
type State = { readonly next_item: { readonly item_id: string } | null };

/** Starts clients that take one person after the other from the registration to matches, with the first stage of an assessment between. */
export async function startMembers(
  surroundings: Surroundings,
  at_once: number,
  onMeasured: (member: MeasuredMember) => void,
): Promise<void> {
  const { stopping } = surroundings.log;
  const goOn = async () => {
    while (!stopping.aborted)
      await measureMember(surroundings).then(
        (member) => member && onMeasured(member),
        // What is stopped amid a member's life rejects.
        (error: unknown) => {
          if (!stopping.aborted) throw error;
        },
      );
  };
  await Promise.all(Array.from({ length: at_once }, goOn));
}

async function measureMember({ log, send, mailbox }: Surroundings): Promise<MeasuredMember | undefined> {
  const account = await registerPerson(log, send);
  if (!account) return undefined;
  const { token, email } = account;
  const ask = (path: string, body?: object, method?: 'GET' | 'PUT') =>
    sendUntilFinal(log.stopping, send, [path, body, token, method && { method }]);
  await ask('/auth/verify-email', { token: await waitForToken(log, mailbox, email) });
  for (const consent_type of ['assessment_data', 'identity_queries'])
    await ask('/members/me/consent', { consent_type, granted: true, version: '1.0' });
  const { id } = (await ask('/members/me', undefined, 'GET')).reply as { id: string };
  await takeAssessment({ log, send }, { ...account, member_id: id });
  await ask('/members/me/consent', { consent_type: 'matching', granted: true, version: '1.2' });
  await ask('/members/me/profile', profile, 'PUT');
  for (const category of ['trait_profile', 'values_profile'])
    await ask('/orgs/queries/consent/category', { category, approved: true }, 'PUT');
  return { ...account, member_id: id };
}

const profile = {
  current_industry: 'health',
  years_experience: 6,
  education_level: 'bachelors',
  location_country: 'AU',
  location_state: 'NSW',
};

async function waitForToken({ stopping }: WriteLog, mailbox: Mailbox, email: string): Promise<string> {
  for (;;) {
    stopping.throwIfAborted();
    const token = await mailbox.findToken(email);
    if (token !== undefined) return token;
    await pause(200);
  }
}

/** Answers the first stage. After a reply that was lost, the state says what is asked next. */
async function takeAssessment(
  { log, send }: Pick<Surroundings, 'log' | 'send'>,
  { token, member_id }: MeasuredMember,
): Promise<void> {
  const readState = async () =>
    (await sendUntilFinal(log.stopping, send, ['/members/me/assessment', {}, token])).reply as State;
  const random = createSeededRandom(log.list('assessments').length + 1);
  let state = await readState();
  while (state.next_item) {
    log.stopping.throwIfAborted();
    const { item_id } = state.next_item;
    let next: State | undefined;
    await log.attempt('answers', async () => {
      const body = { item_id, option: chooseOption(item_id, random) };
      const { status, reply } = await send('/members/me/assessment/answers', body, token);
      if (status === 200) next = reply as State;
      return { status, id: next && `${member_id} ${item_id}` };
    });
    state = next ?? (await readState());
    await pause(reading_ms);
  }
  log.record('assessments', member_id);
}

/** Answers like somebody far from the mean in every trait, so that there is something to read. */
function chooseOption(item_id: string, random: Random): number {
  const item = findItem(item_id);
  if (!item || !isGraded(item)) return drawBelow(random, 2);
  const agreement = 1.5 + 0.5 * drawStandardNormal(random);
  return Math.max(0, Math.min(4, Math.round(2 + (item.reversed ? -agreement : agreement))));
}
