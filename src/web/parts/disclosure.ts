import { html, type Content, type Html } from '../serving/html.ts';

/** Renders an act that opens its consequences and its button. It is open after its form was refused. */
export function renderDisclosure(title: string, content: Content, is_open: boolean): Html {
  return html`<details class="act" ${is_open && 'open'}>
    <summary>${title}</summary>
    ${content}
  </details>`;
}

/** Renders sentences one below the other, such as what follows from an act. */
export function renderTicks(sentences: readonly string[]): Html {
  return html`<ul class="ticks">
    ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}
