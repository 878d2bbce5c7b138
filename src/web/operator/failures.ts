import * as operations from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../serving/page.ts';
import { renderConsequences, renderDisclosure } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { renderNextPage } from '../parts/next-page.ts';

const rows_max = 20;

/** The failed tasks of one name, each with its error and a button that tries it again. */
export const failuresPage: Page = {
  show: async (visit) => {
    const { operatorFailures: words, operator } = visit.texts;
    const task = visit.params['task'] ?? '';
    const { cursor } = visit.query;
    const { data, pagination } = await visit.call(operations.listFailures, {
      task,
      limit: rows_max,
      ...(cursor !== undefined && { cursor }),
    });
    const { total_count, next_cursor } = pagination;
    const content = html`<p class="back"><a href="/app/operator/queue">${words.back}</a></p>
      <header class="head">
        <h1>${visit.texts.taskNames[task] ?? task}</h1>
        <p><code class="quiet">${task}</code></p>
        <p class="lead">${data.length === 0 ? words.empty : words.lead}</p>
      </header>
      ${
        data.length > 0 &&
        html`${renderDisclosure(
            words.retryAll,
            html`${renderConsequences([words.retryAllText])}
            ${renderForm(visit, { action: 'retry_all', button: words.retryAll })}`,
            visit.form.action === 'retry_all',
          )}
          <section class="group">
            <p class="quiet">${operator.total(visit.format.formatNumber(total_count), total_count)}</p>
            <ul class="list">
              ${data.map((failure) => renderFailure(visit, failure))}
            </ul>
          </section>`
      }
      ${renderNextPage(`/app/operator/queue/${task}`, {}, { next_cursor, label: operator.more })}`;
    return showView({ title: visit.texts.taskNames[task] ?? task, layout: 'app', content });
  },
  actions: {
    retry: async ({ call, params }, { failure_id = '' }) => {
      await call(operations.retryFailure, { failure_id });
      return goTo(`/app/operator/queue/${params['task']}`, 'taskRetried');
    },
    retry_all: async ({ call, params }) => {
      await call(operations.retryFailures, { task: params['task'] ?? '' });
      return goTo(`/app/operator/queue/${params['task']}`, 'tasksRetried');
    },
  },
};

type Failure = OperationBody<typeof operations.listFailures>['data'][number];

function renderFailure(visit: Visit, { id, attempts, failed_at, error }: Failure): Html {
  const { operatorFailures: words } = visit.texts;
  const { formatTime, formatNumber } = visit.format;
  return html`<li>
    <span>
      <strong>${formatTime(failed_at)}</strong>
      <span class="quiet small">${words.attempts(formatNumber(attempts))}</span>
      <code class="error-text">${error ?? words.lost}</code>
    </span>
    ${renderForm(visit, {
      action: 'retry',
      button: words.retry,
      button_label: words.retryOne(formatTime(failed_at)),
      look: 'quiet',
      hidden: { failure_id: id },
    })}
  </li>`;
}
