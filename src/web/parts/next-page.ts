import { html, type Html } from '../serving/html.ts';

export function buildAddress(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as [string, string]],
  );
  return given.length === 0 ? path : `${path}?${String(new URLSearchParams(given))}`;
}

/** Renders the link to the next page of a list, if there is one. */
export function renderNextPage(
  path: string,
  values: Readonly<Record<string, string | undefined>>,
  { next_cursor, label }: { readonly next_cursor: string | null; readonly label: string },
): Html | undefined {
  if (next_cursor === null) return undefined;
  return html`<p class="after">
    <a href="${buildAddress(path, { ...values, cursor: next_cursor })}">${label}</a>
  </p>`;
}
