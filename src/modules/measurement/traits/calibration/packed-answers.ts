import type { Answer } from '../items/item.ts';

/**
 * The answers of many respondents in three bytes each, so that a thread receives those of 20,000 in a few megabytes. The answers of a
 * respondent follow one another; `ends` says where each respondent's end.
 */
export type PackedAnswers = {
  readonly item_ids: readonly string[];
  /** The place of each item in `item_ids`. */
  readonly places: Uint16Array<ArrayBuffer>;
  readonly options: Uint8Array<ArrayBuffer>;
  readonly ends: Uint32Array<ArrayBuffer>;
};

/** Packs answers. Options are small: none of our items has more than ten. */
export function packAnswers(answerSets: readonly (readonly Answer[])[]): PackedAnswers {
  const placeById = new Map<string, number>();
  const count = answerSets.reduce((sum, answers) => sum + answers.length, 0);
  const [places, options] = [new Uint16Array(count), new Uint8Array(count)];
  let written = 0;
  const ends = Uint32Array.from(answerSets, (answers) => {
    for (const { item_id, option } of answers) {
      const place = placeById.get(item_id) ?? placeById.size;
      placeById.set(item_id, place);
      places[written] = place;
      options[written++] = option;
    }
    return written;
  });
  return { item_ids: [...placeById.keys()], places, options, ends };
}

/** Restores what {@link packAnswers} has packed. */
export function unpackAnswers({
  item_ids,
  places,
  options,
  ends,
}: PackedAnswers): readonly (readonly Answer[])[] {
  let from = 0;
  return Array.from(ends, (end) => {
    const answers: Answer[] = [];
    for (let index = from; index < end; index++)
      answers.push({ item_id: item_ids[places[index]!]!, option: options[index]! });
    from = end;
    return answers;
  });
}
