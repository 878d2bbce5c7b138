import { nil_uuid } from '#lib/nil-uuid.ts';
import type { Reader } from '#platform/database/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { MissingAnswers } from '../banks/answer-table.ts';
import type { Answer } from '../items/item.ts';
import { listPublicAnswers, type PublicAnswers } from './store.ts';

/** The complete tests of volunteers as a calibration reads them. */
export type PublicAnswerSets = {
  readonly answerSets: readonly (readonly Answer[])[];
  /** Careless tests, second ones, and those in another language. */
  readonly left_out: { readonly careless: number; readonly retests: number; readonly languages: number };
  readonly missing: MissingAnswers;
};

const page_size = 500;
const tests_max = 500_000;

/**
 * Collects the answers of volunteers to these versions of the statements of a bank in a language. A person counts once: the second test does not. Tests with a signal of
 * careless answers are left out, as those of members are. An adaptive test does not ask everything; what it did not ask counts as missing.
 *
 * @param item_ids The statements that count as missing where they were not asked.
 * @param languages.own The language of the tests from before languages were stored.
 */
export async function collectPublicAnswers(
  { database }: Pick<Platform, 'database'>,
  { versions, item_ids }: { readonly versions: readonly string[]; readonly item_ids: readonly string[] },
  languages: { readonly wanted: string; readonly own: string },
): Promise<PublicAnswerSets> {
  const tests = await listPublicTests(database, versions);
  const all = tests.filter(({ first_id }) => first_id === null);
  const first = all.filter(({ language }) => (language ?? languages.own) === languages.wanted);
  const careful = first.filter(({ quality_flags }) => quality_flags.length === 0);
  return {
    answerSets: careful.map(listAnswers),
    left_out: {
      careless: first.length - careful.length,
      retests: tests.length - all.length,
      languages: all.length - first.length,
    },
    missing: countMissing(careful, item_ids),
  };
}

/** Lists the complete tests with these versions of statements, page by page: also second ones, and those with a signal of careless answers. */
export async function listPublicTests(
  db: Reader,
  versions: readonly string[],
): Promise<readonly PublicAnswers[]> {
  const tests: PublicAnswers[] = [];
  for (let after: string | undefined = nil_uuid; after !== undefined && tests.length < tests_max;) {
    const page: PublicAnswers[] = await listPublicAnswers(db, versions, after, page_size);
    tests.push(...page);
    after = page.at(-1)?.id;
  }
  return tests;
}

/** Lists the answers of a test. */
export function listAnswers({ item_ids, options }: PublicAnswers): readonly Answer[] {
  return item_ids.map((item_id, place) => ({ item_id, option: options[place]! }));
}

function countMissing(tests: readonly PublicAnswers[], item_ids: readonly string[]): MissingAnswers {
  const known = new Set(item_ids);
  const answered = new Set<string>();
  let given = 0;
  for (const test of tests)
    for (const id of test.item_ids) {
      if (!known.has(id)) continue;
      given++;
      answered.add(id);
    }
  return {
    cells: tests.length * known.size - given,
    respondents: tests.filter((test) => !test.item_ids.some((id) => known.has(id))).length,
    columns: known.size - answered.size,
  };
}
