import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** Renders links between pages that belong together. The one that is shown is marked. */
export function renderTabs(
  { address }: Pick<Visit, 'address'>,
  label: string,
  links: readonly (readonly [link: string, label: string])[],
): Html {
  const path = address.split('?', 1)[0];
  return html`<nav class="switch tabs" aria-label="${label}">
    <ul>
      ${links.map(([link, words]) => html`<li><a href="${link}" ${link === path && html`aria-current="page"`}>${words}</a></li>`)}
    </ul>
  </nav>`;
}
