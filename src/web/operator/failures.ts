import * as operations from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { readCursor, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { renderNextPage } from '../parts/next-page.ts';

const rows_max = 20;

/** The failed tasks of one name, each with its error and a button that tries it again. */
export const failuresPage: Page = {
  show: async (visit) => {
    const { operatorFailures: words, operator } = visit.texts;
    const task = visit.params['task'] ?? '';
    const { data, pagination } = await visit.call(operations.listFailures, {
      task,
      limit: rows_max,
      ...readCursor(visit),
    });
    const { total_count, next_cursor } = pagination;
    const content = html`${
      data.length > 0 &&
      html`${renderDisclosure(
          words.retryAll,
          html`${renderTicks([words.retryAllText])}
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
    return showHeaded({ title: visit.texts.taskNames[task] ?? task }, content, {
      back: ['/app/operator/queue', words.back],
      below: html`<p><code class="quiet">${task}</code></p>
        <p class="lead">${data.length === 0 ? words.empty : words.lead}</p>`,
    });
  },
  actions: {
    retry: sendForm(operations.retryFailure, '/app/operator/queue/{task}', 'taskRetried'),
    retry_all: sendForm(operations.retryFailures, '/app/operator/queue/{task}', 'tasksRetried'),
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
