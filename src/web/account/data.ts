import * as rights from '#modules/people/rights';
import * as tasks from '#modules/operations/tasks';
import * as accounts from '#modules/access/accounts';
import { html, type Html } from '../serving/html.ts';
import { goTo, sendForm, showNarrow, type Page, type Redirection, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { findConfirmation, requireRecent } from './require-recent.ts';

const refresh_s = 3;

/** Prepares a copy of all data about the member, and follows the progress. */
export const dataPage: Page = {
  show: async (visit) => {
    const { data } = visit.texts;
    const task_id = visit.query['task'];
    const task = task_id === undefined ? undefined : await visit.call(tasks.readTask, { task_id });
    const isRunning = task?.status === 'queued' || task?.status === 'running';
    return showNarrow(data, task ? renderTask(visit, task) : renderForm(visit, { button: data.button }), {
      ...(isRunning && { refresh_s }),
    });
  },
  actions: {
    send: sendForm(rights.startDataExport, '/app/account/data?task={task_id}'),
  },
};

/** The finished copy, as a file. */
export const dataFilePage: Page = {
  show: async (visit) => {
    const task_id = visit.params['task_id'] ?? '';
    const detour = findConfirmation(visit, `/app/account/data?task=${encodeURIComponent(task_id)}`);
    if (detour) return detour;
    const file = await visit.call(rights.readDataExport, { task_id });
    return { kind: 'download', file, media_type: 'application/zip' };
  },
};

type Task = {
  readonly task_id: string;
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly progress: { readonly done: number; readonly total: number };
};

function renderTask(visit: Visit, { task_id, status, progress }: Task): Html {
  const { data } = visit.texts;
  const { formatNumber } = visit.format;
  if (status === 'succeeded')
    return html`<p class="message good" role="status">${data.ready}</p>
      <p class="buttons">
        <a class="button" href="/app/account/data/${task_id}">${data.download}</a>
      </p>`;
  if (status === 'failed')
    return html`<p class="message bad" role="alert">${data.failed}</p>
      ${renderForm(visit, { button: data.button, to: '/app/account/data' })}`;
  const words = data.progress(formatNumber(progress.done), formatNumber(progress.total));
  return html`<p role="status">${data.running}</p>
    <progress
      max="${Math.max(1, progress.total)}"
      value="${progress.done}"
      aria-label="${words}"
    ></progress>`;
}

/** Says what follows from deleting the account, and deletes it. */
export const deletePage: Page = {
  show: async (visit) => {
    requireRecent(visit);
    const { email } = await visit.call(accounts.readMe);
    const { deletion } = visit.texts;
    const content = html`<ul class="ticks">
        ${(email === null ? deletion.consequences.slice(0, -1) : deletion.consequences).map((each) => html`<li>${each}</li>`)}
      </ul>
      ${email === null && html`<p class="message bad">${deletion.final}</p>`}
      <p><a href="/app/account/data">${deletion.export}</a></p>
      ${renderForm(visit, {
        button: deletion.button,
        look: 'danger',
        after: html`<a href="/app/account">${deletion.cancel}</a>`,
      })}`;
    return showNarrow(deletion, content);
  },
  actions: {
    send: (visit) => closeAccount(visit, rights.deleteAccount),
  },
};

/** Closes the account, and goes to the page that says so and until when an emailed link undoes it. */
export async function closeAccount(
  { call, now }: Visit,
  close: typeof rights.deleteAccount | typeof rights.withdrawAllConsent,
): Promise<Redirection> {
  const { email } = await call(accounts.readMe);
  const { erase_after } = await call(close);
  const isUndoable = email !== null && new Date(erase_after) > now;
  return goTo(`/account-closed${isUndoable ? `?until=${encodeURIComponent(erase_after)}` : ''}`);
}
