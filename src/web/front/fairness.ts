import * as exports from '#modules/operations/exports';
import type { OperationBody } from '#platform/operation.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

type Fairness = OperationBody<typeof exports.readFairness>;

/** How evenly groups of members are measured here, as far as the rules of disclosure permit. */
export const fairnessPage: Page = {
  show: async (visit) => {
    const { fairness: texts, report } = visit.texts;
    const { formatNumber, formatDate } = visit.format;
    const fairness = await visit.call(exports.readFairness);
    const { members, measured_on, smallest_group, reports_published } = fairness;
    const content = html`<p>
        ${members === null || measured_on === null ? texts.none : texts.counted(formatNumber(members), formatDate(measured_on))}
      </p>
      <p class="quiet">${texts.rules(formatNumber(smallest_group))}</p>
      ${members !== null && renderGroups(visit, fairness)}
      ${members !== null && renderQuestions(visit, fairness)}
      <section class="group reading">
        <h2>${texts.reportsTitle}</h2>
        <p>${texts.reports(formatNumber(reports_published))}</p>
      </section>
      <p class="quiet after"><a href="/api/v1/fairness">${texts.data_link}</a></p>`;
    const { title, heading, lead, description } = texts;
    return showHeaded({ title, heading, lead }, content, {
      layout: 'open',
      description,
      back: ['/transparency', report.back],
    });
  },
};

function renderGroups(visit: Visit, { groups }: Fairness): Html {
  const { fairness: texts, reports } = visit.texts;
  const attributes = [...new Set(groups.map(({ attribute }) => attribute))];
  return html`${attributes.map((attribute) => {
      const rows = groups.filter((each) => each.attribute === attribute);
      return html`<section class="group">
        <h2>${reports.attributes[attribute]}</h2>
        ${renderTable(
          reports.attributes[attribute],
          [texts.group, texts.members, texts.error],
          rows.map(({ group, members, standard_error }) => [
            nameGroup(visit, group),
            visit.format.formatNumber(members),
            standard_error === null ? texts.noError : visit.format.formatNumber(standard_error),
          ]),
        )}
      </section>`;
    })}
    <p class="quiet small">${texts.errorNote}</p>`;
}

function renderQuestions(visit: Visit, { questions }: Fairness): Html {
  const { fairness: texts } = visit.texts;
  const { formatNumber } = visit.format;
  return html`<section class="group">
    <h2>${texts.questionsTitle}</h2>
    <p>${texts.questionsLead}</p>
    ${
      questions.length === 0
        ? html`<p>${texts.questionsNone}</p>`
        : renderTable(
            texts.questionsTitle,
            [texts.group, texts.compared, texts.moderate, texts.large],
            questions.map(({ group, reference, compared, moderate, large }) => [
              texts.comparedWith(nameGroup(visit, group), nameGroup(visit, reference)),
              formatNumber(compared),
              formatNumber(moderate),
              formatNumber(large),
            ]),
          )
    }
  </section>`;
}

function nameGroup({ texts }: Visit, group: string): string {
  const names: Readonly<Record<string, string>> = texts.reports.groups;
  return names[group] ?? group;
}
