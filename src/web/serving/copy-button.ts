import { html, type Html } from './html.ts';

/** Renders a button that copies a text. It appears only where the script runs that copies. */
export function renderCopyButton(text: string, { copy, copied }: CopyWords): Html {
  return html`<button class="button quiet" type="button" data-copy="${text}" data-copied="${copied}" hidden>
    ${copy}
  </button>`;
}

type CopyWords = { readonly copy: string; readonly copied: string };
