import { html, type Html } from '../serving/html.ts';

/** One choice of a switch: where it leads, its words, and whether it is the current one. */
export type SwitchChoice = readonly [address: string, label: string, is_current: boolean];

/** Renders links between views of the same list. */
export function renderSwitch(label: string, choices: readonly SwitchChoice[]): Html {
  return html`<nav class="switch" aria-label="${label}">
    <ul>
      ${choices.map(([address, words, is_current]) => html`<li><a href="${address}" ${is_current && html`aria-current="page"`}>${words}</a></li>`)}
    </ul>
  </nav>`;
}
