import { renderTable } from '../parts/table.ts';
import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';
import type { KeyRequests } from './key-owners.ts';

/** Renders what programs asked by a key lately, and how it was answered. */
export function renderRequests(visit: Visit, requests: KeyRequests): Html {
  const { keyRequests: texts } = visit.texts;
  return html`<section class="after spaced">
    <h2>${texts.title}</h2>
    <p class="small quiet">${texts.lead}</p>
    ${
      requests.length === 0
        ? html`<p>${texts.empty}</p>`
        : renderTable(
            texts.title,
            [texts.request, texts.answer, texts.duration, texts.time],
            requests.map((request) => [
              html`<code>${request.method} ${request.path ?? texts.unknownPath}</code>`,
              renderAnswer(request),
              texts.milliseconds(visit.format.formatNumber(request.duration_ms)),
              visit.format.formatTime(request.at),
            ]),
          )
    }
  </section>`;
}

function renderAnswer({ status, code }: KeyRequests[number]): Html {
  return html`${status}${code !== null && html` <a href="/docs/problems#${code}"><code>${code}</code></a>`}`;
}
