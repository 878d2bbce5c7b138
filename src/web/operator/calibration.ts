import * as tasks from '#modules/operations/tasks';
import * as traits from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';

const refresh_s = 5;

/** The versions of the parameters of the assessment, and how far scoring with a new one has come. */
export const calibrationPage: Page = {
  show: async (visit) => {
    const { operatorCalibration: words } = visit.texts;
    const task_id = visit.query['task'];
    const [calibrations, task] = await Promise.all([
      visit.call(traits.listCalibrations),
      task_id === undefined
        ? undefined
        : readUnlessRefused(['task_not_found', 'field_invalid'], () =>
            visit.call(tasks.readTask, { task_id }),
          ),
    ]);
    const isRunning =
      calibrations.rescoring !== null || task?.status === 'queued' || task?.status === 'running';
    const { versions, rescoring } = calibrations;
    const content = html`${rescoring && renderProgress(visit, rescoring)}
      <ul class="list versions">
        ${versions.map((version) => renderVersion(visit, version, calibrations))}
      </ul>
      <section class="group reading">${task ? renderEstimation(visit, task) : renderStart(visit)}</section>`;
    return showHeaded(words, content, { ...(isRunning && { refresh_s }) });
  },
  actions: {
    estimate: sendForm(traits.startCalibration, '/app/operator/calibration?task={task_id}'),
    activate: sendForm(traits.activateCalibration, '/app/operator/calibration', 'calibrationActivated'),
  },
};

type Calibrations = OperationBody<typeof traits.listCalibrations>;

function renderProgress(
  { texts, format }: Visit,
  { version, done, total }: NonNullable<Calibrations['rescoring']>,
): Html {
  const { operatorCalibration: words } = texts;
  const progress = words.progress(format.formatNumber(done), format.formatNumber(total));
  return html`<div class="panel progress-panel" role="status">
    <p>${words.rescoring(version)}</p>
    <progress max="${Math.max(1, total)}" value="${done}" aria-label="${progress}"></progress>
    <p class="quiet small">${progress}</p>
  </div>`;
}

function renderStart(visit: Visit): Html {
  const { operatorCalibration: words } = visit.texts;
  const content = html`${renderTicks(words.estimateText)}
  ${renderForm(visit, { action: 'estimate', button: words.estimateButton })}`;
  return renderDisclosure(words.estimate, content, visit.form.action === 'estimate');
}

type Task = OperationBody<typeof tasks.readTask>;

function renderEstimation({ texts, format }: Visit, { status, progress }: Task): Html {
  const { operatorCalibration: words } = texts;
  if (status === 'failed')
    return html`<p class="message bad" role="alert">
      ${words.estimateFailed} <a href="/app/operator/queue/traits.estimateParameters">${words.why}</a>
    </p>`;
  if (status === 'succeeded') return html`<p class="message good" role="status">${words.estimated}</p>`;
  const share = progress.done / Math.max(1, progress.total);
  const done = status === 'queued' ? words.estimateQueued : words.estimateShare(format.formatPercent(share));
  return html`<div class="panel progress-panel" role="status">
    <p>${words.estimating}</p>
    <progress max="${Math.max(1, progress.total)}" value="${progress.done}" aria-label="${done}"></progress>
    <p class="quiet small">${done}</p>
  </div>`;
}

function renderVersion(
  visit: Visit,
  { version, provisional, base_version, respondents, created_at }: Calibrations['versions'][number],
  { in_use, listed, versions }: Calibrations,
): Html {
  const { operatorCalibration: words } = visit.texts;
  const { formatNumber, formatDate } = visit.format;
  // Putting the base into use would apply the same decisions again.
  const base_in_use = versions.find((each) => each.version === in_use)?.base_version;
  const mayActivate = version !== in_use && version !== base_in_use && base_version === null;
  return html`<li>
    <span
      ><strong>${version}</strong>
      <span class="quiet small"
        >${base_version !== null && html`<a href="/app/operator/findings?state=accepted">${words.withDecisions}</a>, `}${created_at === null ? words.builtIn : `${words.respondents(formatNumber(respondents))}, ${words.created(formatDate(created_at))}`}</span
      ></span
    >
    <span>
      ${version === in_use && html`<span class="tag">${words.inUse}</span>`}
      ${version === listed && html`<span class="tag">${words.listed}</span>`}
      <span class="tag ${provisional ? 'clay' : 'plain'}"
        >${provisional ? words.provisional : words.calibrated}</span
      >
    </span>
    ${mayActivate && renderActivation(visit, version)}
  </li>`;
}

function renderActivation(visit: Visit, version: string): Html {
  const { operatorCalibration: words } = visit.texts;
  const isRefused = visit.form.action === 'activate' && visit.form.values['version'] === version;
  return html`<div class="wide">
    ${renderDisclosure(
      words.activate,
      html`${renderTicks(words.activateText)}
      ${renderForm(visit, {
        action: 'activate',
        button: words.activate,
        button_label: words.activateVersion(version),
        hidden: { version },
      })}`,
      isRefused,
    )}
  </div>`;
}
