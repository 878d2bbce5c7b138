import * as matches from '#modules/matching/matches';
import * as tasks from '#modules/operations/tasks';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';

const refresh_s = 3;

/** The match index of each worker, and the computation of all matches. */
export const matchingPage: Page = {
  show: async (visit) => {
    const { operatorMatching: words } = visit.texts;
    const task_id = visit.query['task'];
    const [{ nodes, listed_version }, task] = await Promise.all([
      visit.call(matches.readMatchIndex),
      task_id === undefined ? undefined : visit.call(tasks.readTask, { task_id }),
    ]);
    const isRunning = task?.status === 'queued' || task?.status === 'running';
    const content = html`<section>
        <h2>${words.workers}</h2>
        ${nodes.length === 0 && html`<p class="quiet">${words.none}</p>`}
        <div class="cards">${nodes.map((node) => renderNode(visit, node))}</div>
      </section>
      <section class="group">${task ? renderTask(visit, task.status) : renderRecomputation(visit)}</section>`;
    return showHeaded(words, content, {
      below: html`${listed_version !== null && html`<p class="quiet">${words.version(listed_version)}</p>`}`,
      ...(isRunning && { refresh_s }),
    });
  },
  actions: {
    recompute: sendForm(matches.startRecomputation, '/app/operator/matching?task={task_id}'),
  },
};

type Node = OperationBody<typeof matches.readMatchIndex>['nodes'][number];

function renderNode({ texts, format }: Visit, node: Node): Html {
  const { operatorMatching: words } = texts;
  const { formatNumber, formatBytes, formatDuration } = format;
  return html`<section class="panel">
    <h3>${node.name} ${node.is_this_process && html`<span class="tag plain">${words.own}</span>`}</h3>
    <p>
      <span class="tag ${node.readiness !== 'ready' && 'clay'}">${words.readiness[node.readiness]}</span>
    </p>
    ${renderFacts([
      ...(node.part === null ? [] : [[words.part, node.part] as const]),
      [words.members, formatNumber(node.members)],
      [words.memory, formatBytes(node.bytes)],
      [words.lag, node.lag_seconds === null ? texts.operator.none : formatDuration(node.lag_seconds)],
    ])}
  </section>`;
}

function renderRecomputation(visit: Visit): Html {
  const { operatorMatching: words } = visit.texts;
  return renderDisclosure(
    words.recompute,
    html`${renderTicks([words.recomputeText])}
    ${renderForm(visit, { action: 'recompute', button: words.recomputeButton })}`,
    visit.form.action === 'recompute',
  );
}

function renderTask({ texts }: Visit, status: OperationBody<typeof tasks.readTask>['status']): Html {
  const { operatorMatching: words } = texts;
  if (status === 'failed') return html`<p class="message bad" role="alert">${words.failed}</p>`;
  const sentence = { queued: words.queued, running: words.computing, succeeded: words.succeeded }[status];
  return html`<p class="message ${status === 'succeeded' && 'good'}" role="status">${sentence}</p>`;
}
