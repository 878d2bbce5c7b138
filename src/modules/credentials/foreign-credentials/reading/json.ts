/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The elements of a list; a value that is no list is the only one; undefined is none. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

/** A text; undefined for any other value. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** More values or levels than a credential has. */
const values_max = 1_000;
const levels_max = 20;

/** Parses a JSON object. @returns undefined for anything else, and for one that is too large or too deep to be looked at. */
export function parseFields(text: string): Fields | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isFields(value) && isModest(value) ? value : undefined;
}

/** Whether a value of JSON is small and flat enough to be looked at. */
export function isModest(root: unknown): boolean {
  let [level, values]: [readonly unknown[], number] = [[root], 0];
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > levels_max || values > values_max) return false;
    level = level.flatMap((each) =>
      typeof each === 'object' && each !== null ? (Object.values(each) as readonly unknown[]) : [],
    );
  }
  return true;
}
