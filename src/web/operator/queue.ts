import * as operator from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { showView, type Page, type Visit } from '../serving/page.ts';

/** The background tasks by name: those with something to do, and the idle ones apart. */
export const queuePage: Page = {
  show: async (visit) => {
    const { operatorQueue } = visit.texts;
    const { tasks } = await visit.call(operator.readQueue);
    const content = html`<header class="head">
        <h1>${operatorQueue.title}</h1>
        <p class="lead">${operatorQueue.lead}</p>
      </header>
      ${tasks === null ? html`<p class="message bad" role="alert">${operatorQueue.unreadable}</p>` : renderTasks(visit, tasks)}`;
    return showView({ title: operatorQueue.title, layout: 'app', content });
  },
};

type TaskState = NonNullable<OperationBody<typeof operator.readQueue>['tasks']>[number];

function renderTasks(visit: Visit, tasks: readonly TaskState[]): Html {
  const { operatorQueue: words } = visit.texts;
  const busy = tasks.filter(({ waiting, running, failed }) => waiting + running + failed > 0);
  const idle = tasks.filter((task) => !busy.includes(task));
  return html`<section>
      <h2>${words.busy}</h2>
      ${busy.length === 0 ? html`<p class="quiet">${words.quiet}</p>` : renderTable(visit, busy, words.busy)}
    </section>
    <details class="group">
      <summary>${words.idle(visit.format.formatNumber(idle.length))}</summary>
      ${renderTable(visit, idle, words.idle(visit.format.formatNumber(idle.length)))}
    </details>`;
}

/** A table that fits a phone: its rows become blocks there, with the name of each column before its value. */
function renderTable(visit: Visit, tasks: readonly TaskState[], caption: string): Html {
  const { operatorQueue: words } = visit.texts;
  const columns = [words.waiting, words.oldest, words.running, words.scheduled, words.failed];
  return html`<table class="table">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${words.task}</th>
        ${columns.map((column) => html`<th scope="col" class="number">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${tasks.map(
        (task) =>
          html`<tr>
            <th scope="row">
              ${visit.texts.taskNames[task.task]} <code class="quiet small">${task.task}</code>
            </th>
            ${listValues(visit, task).map((value, place) => html`<td class="number" data-name="${columns[place]}">${value}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function listValues({ texts, format }: Visit, state: TaskState): readonly Content[] {
  const { formatNumber, formatDuration } = format;
  const { task, waiting, oldest_wait_seconds, running, scheduled, failed } = state;
  const { operatorQueue: words, operator } = texts;
  return [
    formatNumber(waiting),
    waiting === 0 ? operator.none : formatDuration(oldest_wait_seconds),
    formatNumber(running),
    formatNumber(scheduled),
    failed === 0
      ? formatNumber(0)
      : html`<a
          class="tag soon"
          href="/app/operator/queue/${task}"
          aria-label="${words.failuresOf(formatNumber(failed), task)}"
          >${formatNumber(failed)}</a
        >`,
  ];
}
