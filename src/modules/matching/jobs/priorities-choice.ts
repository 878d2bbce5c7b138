import { Type } from 'typebox';
import { createFieldRefusal } from '#lib/refusal.ts';
import { writeCanonicalJson } from '#lib/canonical-json.ts';
import type { TraitPriorities } from '#modules/measurement/traits';
import { field, nullable } from '#platform/schema.ts';
import type { Secrets } from '#platform/security/secrets.ts';

/** What an organisation can choose after a preview of the impact: the priorities as it has set them, or an alternative. */
export const prioritiesChoices = ['as_set', 'near', 'farther'] as const;

export type PrioritiesChoice = (typeof prioritiesChoices)[number];

/** Priorities that were shown to an organisation with their impact. */
type ShownPriorities = { readonly org_id: string; readonly trait_priorities: TraitPriorities };

/** The proof of a choice in a request. */
export const choiceInput = Type.Optional(
  field(
    nullable(Type.String({ pattern: `^(${prioritiesChoices.join('|')})\\.[A-Za-z0-9_-]{22}$` })),
    'The `choice` that a preview of the impact returned with these trait priorities; the audit log then says what was chosen. Null without a preview.',
    null,
  ),
);

/** The proof of a choice in a reply. */
export const choiceWire = field(
  Type.String(),
  'Send it as `priorities_choice` when these trait priorities are saved, so that the audit log says what was chosen.',
  'near.hR2wV0cJ3mXq8sYtB1nLpA',
);

/** Writes a proof that these priorities were shown to the organisation as this choice. It says nothing else, and holds without end. */
export function signChoice(
  secrets: Pick<Secrets, 'computeHmac'>,
  choice: PrioritiesChoice,
  { org_id, trait_priorities }: ShownPriorities,
): string {
  const asked = Object.fromEntries(Object.entries(trait_priorities).filter(([, priority]) => priority > 0));
  const mac = secrets.computeHmac('jobs.priorities-choice', writeCanonicalJson({ choice, org_id, asked }));
  return `${choice}.${mac.subarray(0, 16).toString('base64url')}`;
}

/**
 * Reads the choice of a proof.
 *
 * @throws Refusal `field_invalid`, if the proof is of other priorities or another organisation.
 */
export function readChoice(
  secrets: Pick<Secrets, 'computeHmac'>,
  proof: string | null | undefined,
  shown: ShownPriorities,
): PrioritiesChoice | undefined {
  if (proof === undefined || proof === null) return undefined;
  const choice = prioritiesChoices.find((each) => proof === signChoice(secrets, each, shown));
  if (choice) return choice;
  const reason = 'must be the choice that a preview returned with these trait priorities';
  throw createFieldRefusal('field_invalid', '/priorities_choice', reason);
}
