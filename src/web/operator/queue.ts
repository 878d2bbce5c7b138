import * as operator from '#modules/operations/operator';
import type { OperationBody } from '#platform/operation.ts';
import { renderTable } from '../parts/table.ts';
import { html, type Content, type Html } from '../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../serving/page.ts';

/** The background tasks by name: those with something to do, and the idle ones apart. */
export const queuePage: Page = {
  show: async (visit) => {
    const { operatorQueue } = visit.texts;
    const { tasks } = await visit.call(operator.readQueue);
    const content = html`${tasks === null ? html`<p class="message bad" role="alert">${operatorQueue.unreadable}</p>` : renderTasks(visit, tasks)}`;
    return showHeaded(operatorQueue, content);
  },
};

type TaskState = NonNullable<OperationBody<typeof operator.readQueue>['tasks']>[number];

function renderTasks(visit: Visit, tasks: readonly TaskState[]): Html {
  const { operatorQueue: words } = visit.texts;
  const busy = tasks.filter(({ waiting, running, failed }) => waiting + running + failed > 0);
  const idle = tasks.filter((task) => !busy.includes(task));
  return html`<section>
      <h2>${words.busy}</h2>
      ${busy.length === 0 ? html`<p class="quiet">${words.quiet}</p>` : renderTaskTable(visit, busy, words.busy)}
    </section>
    <details class="group">
      <summary>${words.idle(visit.format.formatNumber(idle.length))}</summary>
      ${renderTaskTable(visit, idle, words.idle(visit.format.formatNumber(idle.length)))}
    </details>`;
}

function renderTaskTable(visit: Visit, tasks: readonly TaskState[], caption: string): Html {
  const { operatorQueue: words, taskNames } = visit.texts;
  return renderTable(
    caption,
    [words.task, words.waiting, words.oldest, words.running, words.scheduled, words.failed],
    tasks.map((task) => [
      html`${taskNames[task.task]} <code class="quiet small">${task.task}</code>`,
      ...listValues(visit, task),
    ]),
  );
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
