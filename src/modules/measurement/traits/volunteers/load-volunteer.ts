import { createHash } from 'node:crypto';
import { Refusal } from '#lib/refusal.ts';
import type { Reader, Transaction } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import type { ItemBank } from '../items/bank.ts';
import type { Answer, Item } from '../items/item.ts';
import { chooseNextItem } from '../measurement/next-item.ts';
import { loadItemBank } from '../parameters/parameters-in-use.ts';
import { findVolunteer, lockVolunteer, type Volunteer } from './store.ts';
import { volunteer_items } from './rules.ts';
import { hashCode } from './volunteer-code.ts';

/** A test with its answers and its items. */
export type LoadedVolunteer = {
  readonly volunteer: Volunteer;
  readonly answers: readonly Required<Answer>[];
  readonly bank: ItemBank;
};

/** @throws Refusal `route_not_found` unless the operator asks volunteers. Tests that were begun before can still be read and deleted. */
export function requireVolunteers({ config }: Pick<Services, 'config'>): void {
  if (!config.volunteers)
    throw new Refusal('route_not_found', {
      detail: 'This service asks no volunteers. The operator decides with TESSERA_VOLUNTEERS.',
    });
}

/** Loads a test by its code. @throws Refusal `volunteer_not_found`. */
export async function loadVolunteer(
  services: Pick<Services, 'secrets' | 'memory'>,
  db: Reader,
  code: string,
): Promise<LoadedVolunteer> {
  return addItems(services, db, await findVolunteer(db, hashCode(services, code)));
}

/** Locks a test by its code, and loads it. @throws Refusal `volunteer_not_found`. */
export async function loadLockedVolunteer(
  services: Pick<Services, 'secrets' | 'memory'>,
  tx: Transaction,
  code: string,
): Promise<LoadedVolunteer> {
  return addItems(services, tx, await lockVolunteer(tx, hashCode(services, code)));
}

async function addItems(
  services: Pick<Services, 'memory'>,
  db: Reader,
  volunteer: Volunteer | undefined,
): Promise<LoadedVolunteer> {
  if (!volunteer) throw new Refusal('volunteer_not_found');
  const bank = await loadItemBank(services, db, volunteer.parameter_version, volunteer.language);
  const { item_ids, options, response_times_ms } = volunteer;
  const answers = item_ids.map((item_id, place) => ({
    item_id,
    option: options[place]!,
    response_time_ms: response_times_ms[place]!,
  }));
  // A new version of the program may no longer have an item.
  const needed = [...item_ids, ...(volunteer.asked_id === null ? [] : [volunteer.asked_id])];
  if (!needed.every((id) => bank.itemsById.has(id))) throw new Refusal('volunteer_not_found');
  return { volunteer, answers, bank };
}

/** Every tenth item of a volunteer is a new statement, as long as there are any. */
const seeded_every = 10;

/** Chooses the item that follows these answers as an assessment would, with new statements among them; undefined at the end. */
export function chooseVolunteerItem(
  answers: readonly Answer[],
  id: string,
  bank: ItemBank,
): Item | undefined {
  if (answers.length >= volunteer_items) return undefined;
  const seeded =
    answers.length % seeded_every === seeded_every - 1 ? chooseSeeded(answers, id, bank) : undefined;
  return seeded ?? chooseNextItem(answers, id, bank);
}

/** Draws a new statement that was not asked yet, by the id of the test. */
function chooseSeeded(answers: readonly Answer[], id: string, bank: ItemBank): Item | undefined {
  const asked = new Set(answers.map(({ item_id }) => item_id));
  const places = (bank.seeded ?? [])
    .filter((item) => !asked.has(item.id))
    .map((item) => ({ item, place: computeDigest(`${id} ${item.id}`) }));
  return places.toSorted((one, other) => (one.place < other.place ? -1 : 1))[0]?.item;
}

function computeDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
