import { Refusal, requireFound } from '#lib/refusal.ts';
import { requireConsent } from '#modules/people/consent';
import type { Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import type { Answer, Item } from '../items/item.ts';
import { computePublicId } from '../items/public-id.ts';
import { chooseNextItem, toTraitStakes } from '../measurement/next-item.ts';
import { listAnswers, lockNewestAssessment, updateNextItem, type Assessment } from '../store.ts';
import { loadItemBank } from '../parameters/parameters-in-use.ts';

/** An assessment that can be continued, with its answers so far, the item that waits, and its items. */
export type OpenAssessment = {
  readonly assessment: Assessment;
  readonly answers: readonly Answer[];
  readonly asked: AskedItem;
  readonly bank: ItemBank;
};

/** The id of the item that waits for its answer, and since when it was shown as far as that is known. */
type AskedItem = { readonly item_id: string | null; readonly since: Date };

/**
 * Locks the member's assessment and reads what is needed to continue it.
 *
 * @throws Refusal `consent_required`, `assessment_not_found` or `assessment_complete`.
 */
export async function lockOpenAssessment(
  services: Pick<Services, 'memory'>,
  tx: Transaction,
  member_id: string,
): Promise<OpenAssessment> {
  await requireConsent(tx, member_id, 'assessment_data');
  const assessment = requireFound(await lockNewestAssessment(tx, member_id), 'assessment_not_found');
  if (assessment.stage === 'complete') throw new Refusal('assessment_complete');
  const progress = await readProgress(tx, assessment);
  const bank = await loadItemBank(services, tx, assessment.parameter_version, assessment.language);
  return { assessment, ...progress, bank };
}

/** Reads the answers so far, and which item waits since when. The caller must hold the lock on the assessment. */
export async function readProgress(
  tx: Transaction,
  assessment: Assessment,
): Promise<Pick<OpenAssessment, 'answers' | 'asked'>> {
  const given = await listAnswers(tx, assessment);
  const answers = given.map(({ item_id, option, response_time_ms }) => ({
    item_id,
    option,
    response_time_ms,
  }));
  const last = given.at(-1);
  const asked = last?.answered_at
    ? { item_id: last.next_item_id, since: last.answered_at }
    : { item_id: assessment.next_item_id, since: assessment.completed_at ?? assessment.started_at };
  return { answers, asked };
}

/**
 * Returns the item that waits for its answer; undefined between the first stage and the deepening. It is stored, because what is at stake
 * can change between the question and the answer. Without a stored item the next one is chosen.
 */
export function resolveAskedItem(open: OpenAssessment): Item | undefined {
  if (isBetweenStages(open)) return undefined;
  const { asked, bank } = open;
  const stored = asked.item_id === null ? undefined : bank.itemsById.get(asked.item_id);
  return stored ?? chooseItem(open);
}

/** Says whether the first stage has ended and the member has not yet chosen to go on: no item is asked until then. */
export function isBetweenStages({ assessment, asked }: OpenAssessment): boolean {
  return assessment.stage === 'deepening' && asked.item_id === null;
}

/** @throws Refusal `item_not_asked` unless the item that waits for its answer has this id, by which members know it. */
export function requireAskedItem(open: OpenAssessment, public_id: string): Item {
  const asked = resolveAskedItem(open);
  if (!asked || computePublicId(asked.id) !== public_id) throw new Refusal('item_not_asked');
  return asked;
}

/** Chooses the item that follows the answers; undefined if none is left to ask. */
export function chooseItem({ assessment, answers, bank }: OpenAssessment): Item | undefined {
  const stakes = toTraitStakes(assessment.trait_stakes);
  return chooseNextItem(answers, assessment.id, bank, { stakes });
}

/** Stores which item is shown, so that the answer to it is accepted. */
export async function storeAskedItem(
  tx: Transaction,
  { assessment, asked }: OpenAssessment,
  next: Item | undefined,
): Promise<void> {
  const next_item_id = next?.id ?? null;
  if (asked.item_id !== next_item_id) await updateNextItem(tx, assessment, next_item_id);
}
