import { html, type Html } from '../serving/html.ts';
import { selectWord } from './select-word.ts';

type Input = { readonly value: string; readonly common: Html };

/** Renders a slider from 0 to 1. The script shows the word for its place while it moves; without scripts the words at both ends remain. */
export function renderSlider(
  id: string,
  { value, common, words }: Input & { readonly words: readonly string[] },
): Html {
  return html`<div class="slider">
    <input
      id="${id}"
      type="range"
      min="0"
      max="1"
      step="0.05"
      value="${value}"
      data-words="${words.join('|')}"
      ${common}
    />
    <output for="${id}">${selectWord(words, Number(value))}</output>
  </div>`;
}

/** Renders a box to tick, with its words beside it. It is sent as `true`, or not at all. */
export function renderCheck({
  id,
  label,
  value,
  common,
  reasons,
}: Input & { readonly id: string; readonly label: string; readonly reasons: Html }): Html {
  return html`<div class="field check">
    <label for="${id}"
      ><input id="${id}" type="checkbox" value="true" ${value === 'true' && 'checked'} ${common} />
      <span>${label}</span></label
    >
    ${reasons}
  </div>`;
}
