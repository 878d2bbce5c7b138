/** The parts of a questionnaire that have answers. */
export type Questions = {
  readonly scale: readonly string[];
  readonly braving: readonly { readonly item_id: string }[];
  readonly cvf: readonly {
    readonly block_id: string;
    readonly statements: readonly { readonly statement_id: string }[];
  }[];
};

/** A statement without an answer, or a block without a clear order. */
export type Missing = { readonly name: string; readonly kind: 'item' | 'block' };

/** The answers that are given, and what is missing. */
type ReadAnswers = {
  readonly answers: {
    readonly braving: Readonly<Record<string, number>>;
    readonly cvf: Readonly<Record<string, readonly string[]>>;
  };
  readonly missing: readonly Missing[];
};

/** The name of the field of a statement to agree or disagree with. */
export function nameItem(item_id: string): string {
  return `item_${item_id}`;
}

/** The name of the field of a statement's place in its block. */
export function nameRank(block_id: string, statement_id: string): string {
  return `rank_${block_id}_${statement_id}`;
}

/** Reads the answers of the form. A block is in order if each of its statements has a place of its own. */
export function readAnswers(
  { scale, braving, cvf }: Questions,
  fields: Readonly<Record<string, string>>,
): ReadAnswers {
  const options = scale.map((_, option) => String(option));
  const items = braving.map(
    ({ item_id }) => [item_id, options.indexOf(fields[nameItem(item_id)] ?? '')] as const,
  );
  const blocks = cvf.map(({ block_id, statements }) => {
    const places = statements.map(
      ({ statement_id }) => [statement_id, Number(fields[nameRank(block_id, statement_id)] || 0)] as const,
    );
    const ordered = places.toSorted(([, one], [, other]) => one - other);
    const isInOrder = ordered.every(([, place], index) => place === index + 1);
    return [block_id, isInOrder ? ordered.map(([id]) => id) : undefined] as const;
  });
  return {
    answers: {
      braving: Object.fromEntries(items.filter(([, option]) => option !== -1)),
      cvf: Object.fromEntries(blocks.flatMap(([id, order]) => (order ? [[id, order]] : []))),
    },
    missing: [
      ...items
        .filter(([, option]) => option === -1)
        .map(([item_id]) => ({ name: nameItem(item_id), kind: 'item' as const })),
      ...blocks
        .filter(([, order]) => order === undefined)
        .map(([block_id]) => ({ name: `rank_${block_id}`, kind: 'block' as const })),
    ],
  };
}
