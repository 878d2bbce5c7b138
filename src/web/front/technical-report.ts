import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

type Section = OperationBody<typeof traits.readTechnicalReport>['sections'][number];

/** How the assessment in use is built and how well it measures, and what is not known about it. */
export const technicalReportPage: Page = {
  show: async (visit) => {
    const { report: texts } = visit.texts;
    const { sections, version, created_at } = await visit.call(traits.readTechnicalReport);
    const content = html`${sections.map((section) => renderSection(visit, section))}
      <p class="quiet after"><a href="/api/v1/technical-report">${texts.data_link}</a></p>`;
    const lead = texts.lead(version, visit.format.formatDate(created_at));
    return showHeaded({ title: texts.title, lead }, content, {
      layout: 'open',
      description: texts.description,
      back: ['/transparency', texts.back],
    });
  },
};

function renderSection(visit: Visit, { heading, sentences, tables, command, missing }: Section): Html {
  const { report: texts } = visit.texts;
  return html`<section class="group">
    <h2>${heading}</h2>
    ${sentences.map((sentence) => html`<p>${renderWords(sentence)}</p>`)}
    ${tables.map(({ caption, columns, rows }) => {
      const [first = '', ...others] = columns;
      const table = renderTable(
        caption,
        [first, ...others],
        rows.map(([name = '', ...values]) => [nameScale(visit, name), ...values] as [Content, ...Content[]]),
      );
      return html`<details class="figures">
        <summary>${texts.table(caption, visit.format.formatNumber(rows.length))}</summary>
        ${table}
      </details>`;
    })}
    ${
      missing.length > 0 &&
      html`<h3>${texts.missing}</h3>
        <ul class="ticks">
          ${missing.map((sentence) => html`<li>${renderWords(sentence)}</li>`)}
        </ul>`
    }
    ${command !== null && html`<p class="quiet small">${texts.command} <code>${command}</code></p>`}
  </section>`;
}

/** Renders a sentence with commands between backticks. */
function renderWords(sentence: string): Content {
  return sentence.split('`').map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Our own scales have the names of their traits. */
function nameScale({ texts }: Visit, scale: string): string {
  const names: Readonly<Record<string, string>> = texts.traits.names;
  return names[scale] ?? scale;
}
