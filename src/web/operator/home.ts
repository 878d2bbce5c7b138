import * as jobs from '#modules/matching/jobs';
import * as operator from '#modules/operations/operator';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { renderDisclosure } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { html, type Html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { listConcerns, type Concern } from './list-concerns.ts';

const here = '/app/operator';

/** The first page of the operator: what needs attention, one sentence and one button each, and what can be started by hand. */
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
    ${renderDisclosure(operatorHome.nightly, renderNightlyWork(visit, health), visit.form.action === 'start')}`;
    return showHeaded({ title: operatorHome.title }, content, {
      below: html`<p class="lead">
          ${pressing === 0 ? operatorHome.calm : operatorHome.attention(visit.format.formatNumber(pressing), pressing)}
        </p>
        ${renderArchive(visit, health)}`,
    });
  },
  actions: { start: sendForm(operator.startWork, here, 'workStarted') },
};

function renderConcerns(visit: Visit, concerns: readonly Concern[]): Html {
  const { operatorHome } = visit.texts;
  return html`<section>
    <h2 class="hidden">${operatorHome.list}</h2>
    <ul class="list concerns">
      ${concerns.map(
        (concern) =>
          html`<li>
            <span
              ><strong>${describeConcern(visit, concern)}</strong>
              <span class="tag ${concern.severity}">${operatorHome.severities[concern.severity]}</span></span
            >
            ${renderAct(visit, concern)}
          </li>`,
      )}
    </ul>
  </section>`;
}

function describeConcern({ texts, format }: Visit, { code, amount }: Concern): string {
  const words = texts.operatorHome.concerns[code];
  if (typeof words === 'string') return words;
  const isDuration = code === 'queue_slow' || code === 'archive_behind' || code === 'drill_old';
  return words(isDuration ? format.formatDuration(amount) : format.formatNumber(amount));
}

/** One button: it starts what helps, or leads to where one decides. */
function renderAct(visit: Visit, { code, link }: Concern): Html {
  const { acts } = visit.texts.operatorHome;
  if (code === 'drill_failed' || code === 'drill_old') return renderStart(visit, 'drill', acts[code]);
  return html`<a class="button quiet" href="${link}">${acts[code]}</a>`;
}

type Health = OperationBody<typeof operator.readHealth>;

/** To which moment one could go back, and what proves it. */
function renderArchive({ texts, format }: Visit, { archive }: Health): Html | false {
  const { operatorHome: words } = texts;
  if (!archive?.restorable_to) return false;
  const { drill, restorable_to } = archive;
  const proven = drill?.succeeded_at ? words.proven(format.formatTime(drill.succeeded_at)) : words.unproven;
  return html`<p>${words.restorable(format.formatExactTime(restorable_to))} ${proven}</p>`;
}

function renderNightlyWork(visit: Visit, { archive }: Health): Html {
  const { operatorHome: words } = visit.texts;
  const startable = operator.nightlyWork.filter((work) => work !== 'drill' || archive !== null);
  return html`<p>${words.nightlyLead}</p>
    <ul class="list concerns">
      ${startable.map(
        (work) =>
          html`<li>
            <span
              ><strong>${words.work[work]}</strong> <code class="quiet small">work start ${work}</code></span
            >
            ${renderStart(visit, work, words.start)}
          </li>`,
      )}
    </ul>`;
}

type Work = (typeof operator.nightlyWork)[number];

function renderStart(visit: Visit, work: Work, button: string): Html {
  const label = `${button}: ${visit.texts.operatorHome.work[work]}`;
  const hidden = { work };
  return renderForm(visit, {
    action: 'start',
    key: work,
    button,
    button_label: label,
    look: 'quiet',
    hidden,
  });
}
