import * as jobs from '#modules/matching/jobs';
import * as operator from '#modules/operations/operator';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';
import { listConcerns, type Concern } from './list-concerns.ts';

/** The first page of the operator: what needs attention, and a few figures. */
export const operatorHomePage: Page = {
  show: async (visit) => {
    const { operatorHome } = visit.texts;
    const [health, { reports }, calibrations, findings] = await Promise.all([
      visit.call(operator.readHealth),
      visit.call(jobs.listProbingReports),
      visit.call(traits.listCalibrations),
      visit.call(traits.listItemFindings, { state: 'open', limit: 100 }),
    ]);
    const concerns = listConcerns(health, reports, calibrations, findings, visit.now);
    const pressing = concerns.filter(({ severity }) => severity !== 'note').length;
    const content = html`${concerns.length > 0 && renderConcerns(visit, concerns)}
    ${renderFigures(visit, health)}`;
    return showHeaded({ title: operatorHome.title }, content, {
      below: html`<p class="lead">
        ${pressing === 0 ? operatorHome.calm : operatorHome.attention(visit.format.formatNumber(pressing), pressing)}
      </p>`,
    });
  },
};

function renderConcerns(visit: Visit, concerns: readonly Concern[]): Html {
  const { operatorHome } = visit.texts;
  return html`<section>
    <h2 class="hidden">${operatorHome.list}</h2>
    <ul class="list concerns">
      ${concerns.map(
        (concern) =>
          html`<li>
            <a href="${concern.link}"><strong>${describeConcern(visit, concern)}</strong></a>
            <span class="tag ${concern.severity}">${operatorHome.severities[concern.severity]}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

function describeConcern({ texts, format }: Visit, { code, amount }: Concern): string {
  const words = texts.operatorHome.concerns[code];
  if (typeof words === 'string') return words;
  return words(code === 'queue_slow' ? format.formatDuration(amount) : format.formatNumber(amount));
}

type Health = OperationBody<typeof operator.readHealth>;

function renderFigures({ texts, format }: Visit, { minutes, queue, matching, node }: Health): Html {
  const { operatorHome } = texts;
  const { formatNumber, formatDuration } = format;
  const requests = minutes.reduce((sum, minute) => sum + minute.requests, 0);
  const failed = minutes.reduce((sum, minute) => sum + minute.failed, 0);
  return html`<section class="group">
    <h2>${operatorHome.now}</h2>
    <dl class="figures">
      ${renderFigure(operatorHome.requests, formatNumber(requests), operatorHome.failed(formatNumber(failed)))}
      ${renderFigure(
        operatorHome.tasks,
        queue ? formatNumber(queue.waiting) : texts.operator.none,
        queue ? operatorHome.running(formatNumber(queue.running)) : operatorHome.unreadable,
      )}
      ${renderFigure(
        operatorHome.members,
        matching ? formatNumber(matching.members) : texts.operator.none,
        matching ? texts.operatorMatching.readiness[matching.readiness] : operatorHome.noIndex,
      )}
      ${renderFigure(operatorHome.uptime, formatDuration(node.uptime_seconds), operatorHome.version(node.version))}
    </dl>
  </section>`;
}

function renderFigure(name: string, value: string, note: Content): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd><strong>${value}</strong> <span class="quiet">${note}</span></dd>
  </div>`;
}
