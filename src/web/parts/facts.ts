import { html, type Content, type Html } from '../serving/html.ts';

/** A fact: its name and its value. Without a value it is left out. */
export type Fact = readonly [name: string, value: Content];

/** Renders facts one below the other, by default each with its name beside it. */
export function renderFacts(facts: readonly Fact[], look = 'facts beside'): Html {
  return html`<dl class="${look}">
    ${facts.map(
      ([name, value]) =>
        value !== undefined &&
        value !== null &&
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}
