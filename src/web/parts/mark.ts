import { html, type Html } from '../serving/html.ts';

/** The two halves of the broken token, on a square of 24. The crack of one half is the crack of the other. */
export const halves = {
  left: 'M6.5 3h5.2L10 7.6l3.1 3.3-3.6 3.7 1.9 2.9-1.6 3.5H6.5A3.5 3.5 0 0 1 3 17.5v-11A3.5 3.5 0 0 1 6.5 3z',
  right: 'M14.2 3h3.3A3.5 3.5 0 0 1 21 6.5v11a3.5 3.5 0 0 1-3.5 3.5h-5.2l1.4-3.3-2-3 3.7-3.8-3.1-3.4z',
} as const;

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
    <path class="left" d="${halves.left}" />
    <path class="right" d="${halves.right}" />
  </svg>`;
}

/** Renders the two halves of the token side by side, large: the picture of the landing page. */
export function renderToken(): Html {
  return html`<svg class="token" viewBox="-3 0 30 24" aria-hidden="true" focusable="false">
    <g class="half left">
      <path d="${halves.left}" />
      <path class="lines" d="M5.5 7h2.6M5.5 9.5h3.2M5.5 12h3.6M5.5 14.5h2.4M5.5 17h3" />
    </g>
    <g class="half right">
      <path d="${halves.right}" />
      <path class="lines" d="M16 7h2.6M16.2 9.5h2.4M17.2 12h1.4M15.4 14.5h3.2M16 17h2.6" />
    </g>
  </svg>`;
}
