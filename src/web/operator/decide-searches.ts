/** What a text can be the beginning of, as the operations of the API search for it. */
export type UserQuery = { readonly email?: string; readonly name?: string; readonly identifier?: string };

const idPattern = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|mbr-[0-9a-hjkmnp-tv-z]{8})$/i;

/**
 * Decides what to search for: an id, an address if the text has an @, and otherwise names as well as addresses. Names cannot be combined with
 * a filter, so `by_name` says whether they are searched.
 */
export function decideSearches(text: string, by_name: boolean): readonly UserQuery[] {
  const query = text.trim();
  if (query === '') return [{}];
  if (isId(query)) return [{ identifier: query }];
  if (query.includes('@') || !by_name) return [{ email: query }];
  return [{ name: query }, { email: query }];
}

/** Whether a text is an id of the service, or the short id of a member. */
export function isId(text: string): boolean {
  return idPattern.test(text);
}
