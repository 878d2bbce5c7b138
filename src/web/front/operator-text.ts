import { html, type Content, type Html } from '../serving/html.ts';

/**
 * Renders a text of the operator: an empty line begins a paragraph, `# ` a heading, and `- ` an entry of a list. Addresses become links. Everything else
 * stays as it was written.
 */
export function renderOperatorText(text: string): Html {
  const blocks = text.replaceAll('\r', '').split(/\n\s*\n/);
  return html`${blocks.map((block) => renderBlock(block.trim()))}`;
}

function renderBlock(block: string): Content {
  if (block === '') return undefined;
  if (block.startsWith('# ')) {
    const [heading = '', ...lines] = block.slice(2).split('\n');
    return html`<h2>${heading}</h2>
      ${renderBlock(lines.join('\n').trim())}`;
  }
  const lines = block.split('\n');
  if (lines.every((line) => line.startsWith('- ')))
    return html`<ul>
      ${lines.map((line) => html`<li>${linkAddresses(line.slice(2))}</li>`)}
    </ul>`;
  return html`<p>${linkAddresses(block)}</p>`;
}

/** Splits at addresses, which are the odd parts. */
function linkAddresses(text: string): Content {
  const parts = text.split(/(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)])/);
  return parts.map((part, place) => (place % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
