import { html, type Html } from '../serving/html.ts';

/** Renders a name, an email address or a URL. One that is wider than its column breaks after an @, a dot or a slash. */
export function renderAddress(text: string): Html {
  return html`${text.split(/(?<=[@./])(?![@./])/).map((part) => html`${part}<wbr />`)}`;
}
