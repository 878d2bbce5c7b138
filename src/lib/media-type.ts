/** A range of an Accept header, with its weight (RFC 9110 section 12.5.1). */
type AcceptRange = { readonly range: string; readonly weight: number };

/** How much a header wants a type: the weight first; of equal weights, a range that names the type exactly counts more than a wildcard. */
type Match = { readonly weight: number; readonly specificity: number };

/**
 * Chooses the media type of a reply by an Accept header: the one with the highest weight; of equal ones, one that the header names rather than
 * one that a wildcard includes, and then the first that is offered.
 *
 * @param offered What is available, the preferred one first.
 * @returns the first one too if the header is absent or accepts none: the caller gets something instead of an error.
 */
export function selectMediaType<Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const ranges = parseAccept(accept ?? '');
  let best: (Match & { readonly type: Type }) | undefined;
  for (const type of offered) {
    const match = findMatch(ranges, type);
    if (match && match.weight > 0 && (!best || isBetterMatch(match, best))) best = { type, ...match };
  }
  return best?.type ?? offered[0];
}

function isBetterMatch(one: Match, other: Match): boolean {
  return one.weight === other.weight ? one.specificity > other.specificity : one.weight > other.weight;
}

function parseAccept(accept: string): readonly AcceptRange[] {
  return accept.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return { range, weight: readWeight(parameters) };
  });
}

/** The weight `q`, 1 unless it is given. A weight that is not a number from 0 to 1 counts as 0. */
export function readWeight(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (text === undefined) return 1;
  const weight = text === '' ? Number.NaN : Number(text);
  return weight >= 0 && weight <= 1 ? weight : 0;
}

/** The most specific range that includes the type; undefined if there is none. */
function findMatch(ranges: readonly AcceptRange[], type: string): Match | undefined {
  const wildcard = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const [index, wanted] of [type, wildcard, '*/*'].entries()) {
    const match = ranges.find(({ range }) => range === wanted);
    if (match) return { weight: match.weight, specificity: -index };
  }
  return undefined;
}
