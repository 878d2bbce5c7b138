import * as members from '#modules/people/members';
import * as waiting from '#modules/operations/waiting';
import { Refusal } from '#lib/refusal.ts';
import type { Waiting } from './navigation.ts';
import type { Visit } from '../serving/page.ts';

/**
 * Counts what waits for an answer of the visitor, by the entry of the navigation that leads to it. A page is shown without these marks if they
 * cannot be read: an organisation without a verified administrator may not, and a busy database refuses.
 */
export async function countWaiting(visit: Visit): Promise<Waiting> {
  const { role } = visit.caller;
  if (role === 'anonymous' || role === 'platform_admin') return {};
  try {
    return role === 'member' ? await countForMember(visit) : await countForOrganisation(visit);
  } catch (error) {
    if (error instanceof Refusal) return {};
    throw error;
  }
}

/** Counts the answers that wait for a member, and an unfinished first assessment. */
async function countForMember({ call }: Visit): Promise<Waiting> {
  const [{ matches, offers }, { assessment_phase }] = await Promise.all([
    call(waiting.readMemberWaiting),
    call(members.readMember),
  ]);
  return {
    '/app/traits': assessment_phase === 'in_progress' ? 1 : 0,
    '/app/credentials': offers,
    '/app/matches': matches,
  };
}

async function countForOrganisation({ call }: Visit): Promise<Waiting> {
  const { matches, reads, reviews } = await call(waiting.readOrganisationWaiting);
  return { '/app/jobs': matches, '/app/reads': reads, '/app/organisation': reviews };
}
