import { markHalves } from '#lib/mark.ts';
import { html, type Html } from '../serving/html.ts';

/** Renders the mark of the service. Text beside it names it. */
export function renderMark(): Html {
  return html`<svg
    class="mark"
    viewBox="0 0 24 24"
    width="28"
    height="28"
    aria-hidden="true"
    focusable="false"
  >
    <path class="left" d="${markHalves.left}" />
    <path class="right" d="${markHalves.right}" />
  </svg>`;
}

/** Renders the two halves of the token side by side, large: the picture of the landing page. */
export function renderToken(): Html {
  return html`<svg class="token" viewBox="-3 0 30 24" aria-hidden="true" focusable="false">
    <g class="half left">
      <path d="${markHalves.left}" />
      <path class="lines" d="M5.5 7h2.6M5.5 9.5h3.2M5.5 12h3.6M5.5 14.5h2.4M5.5 17h3" />
    </g>
    <g class="half right">
      <path d="${markHalves.right}" />
      <path class="lines" d="M16 7h2.6M16.2 9.5h2.4M17.2 12h1.4M15.4 14.5h3.2M16 17h2.6" />
    </g>
  </svg>`;
}
