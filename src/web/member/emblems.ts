import { html, type Html } from '../serving/html.ts';

/** The drawing of each archetype on a square of 48: `line` is stroked, `fill` is filled. */
const drawings = {
  compass: {
    line: 'M24 7a17 17 0 1 0 0 34a17 17 0 1 0 0-34zM24 7v4M24 37v4M7 24h4M37 24h4',
    fill: 'M24 14l4.2 10L24 34l-4.2-10z',
  },
  lantern: {
    line: 'M24 5a5 5 0 0 1 5 5v2M19 12v-2a5 5 0 0 1 5-5M15 12h18M17 12l-2 5v18h18V17l-2-5M13 35h22v5H13z',
    fill: 'M24 19c4 4.5 5 6.6 5 9a5 5 0 0 1-10 0c0-2.4 1-4.5 5-9z',
  },
  sail: {
    line: 'M23 6v30M23 8c9 6 13 14 13 24H23M6 36h36c-2 4-5 6-9 6H15c-4 0-7-2-9-6z',
    fill: 'M20 12v20H10c1-8 4-14 10-20z',
  },
  lens: {
    line: 'M20 7a13 13 0 1 0 0 26a13 13 0 1 0 0-26zM29.5 29.500L41 41',
    fill: 'M20 13.500a6.500 6.500 0 1 1 0 13a6.500 6.500 0 1 1 0-13z',
  },
  plumb_line: {
    line: 'M10 7h28M24 7v19M12 41h24',
    fill: 'M18.500 26h11l-1 6L24 38l-4.500-6z',
  },
  whetstone: {
    line: 'M6 33l8 8h26l2-7-8-7H9zM9 27l5 7h28M14 34v7',
    fill: 'M12 21L36 6c2 4 1 8-2 11L16 25z',
  },
  hearth: {
    line: 'M7 41V17L24 6l17 11v24zM13 41V27a11 11 0 0 1 22 0v14',
    fill: 'M24 23c4.500 5 6.500 7.500 6.500 11a6.500 6.500 0 0 1-13 0c0-2.500 1.500-4 3-6c.5 1.500 1 2 2 2.500c-.5-3 .2-5 1.500-7.500z',
  },
  bridge: {
    line: 'M5 22h38M5 22c5 0 9-3 9-9c4 6 16 6 20 0c0 6 4 9 9 9M14 13v24M34 13v24M5 37h38M24 17v5',
    fill: 'M17 37a7 7 0 0 1 14 0z',
  },
  bell: {
    line: 'M24 7v3M10 35c4-3 4-7 4-13a10 10 0 0 1 20 0c0 6 0 10 4 13zM8 16c1-3 2-5 4-7M40 16c-1-3-2-5-4-7',
    fill: 'M19.500 38h9a4.500 4.500 0 0 1-9 0z',
  },
  keel: {
    line: 'M5 17h38c-2 9-9 15-19 15S7 26 5 17zM24 17V6M24 8l9 4-9 3M6 40c3-2 6-2 9 0s6 2 9 0 6-2 9 0 6 2 9 0',
    fill: 'M19 32h10l-2 6h-6z',
  },
  keystone: {
    line: 'M5 41V30A19 19 0 0 1 43 30v11h-9V31a10 10 0 0 0-20 0v10zM7 23l9 4M41 23l-9 4',
    fill: 'M17.500 8h13l-3 13h-7z',
  },
  seal: {
    line: 'M24 6l4 3.500 5.300-.4 1.400 5.100 4.600 2.700-1.900 5 1.900 5-4.600 2.700-1.400 5.100-5.300-.4L24 38l-4-3.700-5.300.4-1.400-5.100-4.600-2.700 1.900-5-1.900-5 4.600-2.700 1.400-5.100 5.300.4zM17 35l-3 8 5-1.500M31 35l3 8-5-1.500',
    fill: 'M24 15a7 7 0 1 1 0 14a7 7 0 1 1 0-14z',
  },
} as const;

/** Renders the drawing of an archetype. The name beside it says what it is. */
export function renderEmblem(archetype: keyof typeof drawings): Html {
  const { line, fill } = drawings[archetype];
  return html`<svg class="emblem" viewBox="0 0 48 48" aria-hidden="true" focusable="false">
    <path class="line" d="${line}" />
    <path class="fill" d="${fill}" />
  </svg>`;
}
