import { html, type Content, type Html } from '../serving/html.ts';

/** Renders a table that fits a phone: its rows become blocks there, with the name of each column before its value. */
export function renderTable(
  caption: string,
  [first, ...columns]: readonly [string, ...string[]],
  rows: readonly (readonly [Content, ...Content[]])[],
): Html {
  return html`<table class="table">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${first}</th>
        ${columns.map((column) => html`<th scope="col" class="number">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([name, ...values]) =>
          html`<tr>
            <th scope="row">${name}</th>
            ${values.map((value, place) => html`<td class="number" data-name="${columns[place]}">${value}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
