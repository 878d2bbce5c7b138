import { html, type Html } from '../serving/html.ts';

/** A form that asks for a list with a filter. It changes nothing, so its values are in the address. */
export type SearchForm = {
  readonly to: string;
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly button: string;
  readonly maxlength: number;
  /** Other filters to keep. */
  readonly hidden?: Readonly<Record<string, string>>;
};

/** Renders a search field with its button. */
export function renderSearchForm({
  to,
  name,
  label,
  value,
  button,
  maxlength,
  hidden = {},
}: SearchForm): Html {
  return html`<form class="search" method="get" action="${to}" role="search">
    ${Object.entries(hidden).map(([key, kept]) => html`<input type="hidden" name="${key}" value="${kept}" />`)}
    <label for="search">${label}</label>
    <input
      id="search"
      type="search"
      name="${name}"
      value="${value}"
      maxlength="${maxlength}"
      autocomplete="off"
    />
    <button class="button quiet">${button}</button>
  </form>`;
}
