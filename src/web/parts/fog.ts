import { html, type Html } from '../serving/html.ts';
import type { Visit } from '../serving/page.ts';

/** A trait as the picture needs it: shares of the population, and how far a word is supported. */
type FoggedTrait = {
  readonly trait_name: string;
  readonly score: number;
  readonly confidence: number;
  readonly lower_bound: number;
  readonly upper_bound: number;
  readonly certainty: 'clear' | 'likely' | 'open';
};

const step = 20;
const [top, bottom, stone_size] = [12, 128, 9];

/**
 * Draws the traits side by side, from few people at the bottom to most at the top. Fog covers where each probably is, and a stone appears
 * in it as it becomes certain. A clear trait has no fog any more, only its band. Words beside it say what is clear.
 */
export function renderFog({ texts }: Visit, traits: readonly FoggedTrait[], named: string | undefined): Html {
  const clear = traits.filter(({ certainty }) => certainty === 'clear').length;
  const width = step * (traits.length + 1);
  const middle = (top + bottom) / 2;
  return html`<svg
    viewBox="0 0 ${width} ${top + bottom}"
    role="img"
    aria-label="${texts.firstMirror.picture(traits.length, clear)}"
    focusable="false"
  >
    <defs>
      <radialGradient id="fog">
        <stop class="core" offset="0" />
        <stop class="core" offset="0.45" />
        <stop class="edge" offset="1" />
      </radialGradient>
    </defs>
    <line class="middle" x1="${step / 2}" x2="${width - step / 2}" y1="${middle}" y2="${middle}" />
    ${traits.map((trait, index) => renderTrait(trait, step * (index + 1), trait.trait_name === named))}
  </svg>`;
}

function renderTrait(trait: FoggedTrait, x: number, is_named: boolean): Html {
  const [y, low, high] = [trait.score, trait.lower_bound, trait.upper_bound].map(toHeight);
  const isClear = trait.certainty === 'clear';
  const size = round(stone_size * (0.35 + 0.65 * trait.confidence) * (is_named ? 1.35 : 1));
  const fog = html`<ellipse
    class="veil"
    cx="${x}"
    cy="${round((low! + high!) / 2)}"
    rx="${step * 0.75}"
    ry="${round(Math.max(8, ((low! - high!) / 2) * 1.15))}"
    opacity="${round(1 - 0.7 * trait.confidence)}"
  />`;
  const band = html`<line class="band" x1="${x}" x2="${x}" y1="${low}" y2="${high}" />`;
  return html`<g class="${trait.certainty} ${is_named && 'named'}">
    ${isClear ? band : fog}
    <rect
      class="stone"
      x="${round(x - size / 2)}"
      y="${round(y! - size / 2)}"
      width="${size}"
      height="${size}"
      transform="rotate(45 ${x} ${y})"
      opacity="${isClear ? 1 : round(Math.max(0.12, 0.75 * trait.confidence))}"
    />
  </g>`;
}

const toHeight = (share: number) => round(bottom - (bottom - top) * share);

/** Two decimals are enough for a drawing. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
