import { first_stage_items } from '../measurement/stages.ts';

/** How many items a volunteer answers: as many as the first stage of an assessment has. */
export const volunteer_items = first_stage_items;

/** About how long that takes. */
export const volunteer_minutes = 8;

/** What volunteers agree to. A change of its meaning needs another version. */
export const volunteerConsent = {
  version: '1.0',
  text: [
    'I am at least 16 years old, and I answer for myself.',
    'My answers, and how long each one took, are stored without my name and without an account. They are used only to find out how well the statements measure.',
    'Nobody is matched, assessed or paid because of them, and they are not connected with any account.',
    'At the end I read my own result, and I can delete everything at any time by the address of that page. What is left is deleted after five years.',
  ],
} as const;

const day_ms = 86_400_000;

/** A test is forgotten if nothing was answered for this long. */
const unfinished_ms = day_ms;

/** How long complete answers are kept. */
const kept_ms = 5 * 365 * day_ms;

/** How long after the confirmation of the address the invitation to the second test is sent. */
const retest_ms = 28 * day_ms;

/** How long the link that confirms an address works. */
export const confirmation_hours = 24;

/** How long the invitation to the second test can be followed. */
export const invitation_days = 28;

/** Computes when an invitation is sent whose address is confirmed now. */
export function computeInvitationTime(now: Date): Date {
  return new Date(now.getTime() + retest_ms);
}

/** Computes the times before which unfinished and complete answers are forgotten. */
export function computeOldestTimes(now: Date): { readonly unfinished: Date; readonly complete: Date } {
  return {
    unfinished: new Date(now.getTime() - unfinished_ms),
    complete: new Date(now.getTime() - kept_ms),
  };
}

/** Whether a link that was made at a time still works. */
export function isLinkValid(kind: 'confirmation' | 'invitation', made_ms: number, now: Date): boolean {
  const age_ms = kind === 'confirmation' ? confirmation_hours * 3_600_000 : invitation_days * day_ms;
  return now.getTime() - made_ms <= age_ms;
}
