import * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import * as tasks from '#modules/operations/tasks';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, sendForm, type Action, type Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin } from '../admins-only.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';

type Job = OperationBody<typeof jobs.readJob>;
type Task = OperationBody<typeof tasks.readTask>;

/** Renders what can be done with a job: follow it, compare people with it again, download it for a website, and close it. */
export async function renderJobTools(visit: Visit, job: Job): Promise<Html> {
  const { jobTools: texts } = visit.texts;
  const { following } = await visit.call(jobs.readFollowing, { job_id: job.id });
  const mayChange = isAdmin(visit);
  return html`<section class="tools" aria-label="${texts.title}">
    ${renderForm(visit, {
      action: following ? 'unfollow' : 'follow',
      button: following ? texts.unfollow : texts.follow,
      look: 'quiet',
    })}
    ${mayChange && job.status === 'active' && renderForm(visit, { action: 'recompute', button: texts.recompute, look: 'quiet' })}
    ${job.status === 'active' && html`<a href="/app/jobs/${job.id}/posting" download>${texts.posting}</a>`}
    <a href="/app/jobs/${job.id}/invitations">${visit.texts.candidates.link}</a>
    ${mayChange && job.status !== 'closed' && html`<a href="/app/jobs/${job.id}/close">${texts.close}</a>`}
    <p class="quiet small">${following ? texts.followed : texts.notFollowed}</p>
  </section>`;
}

/** The actions of {@link renderJobTools}. */
export const jobToolActions: Readonly<Record<string, Action>> = {
  follow: setFollowing(true),
  unfollow: setFollowing(false),
  recompute: sendForm(matches.recomputeMatches, '/app/jobs/{job_id}?task={task_id}'),
};

function setFollowing(following: boolean): Action {
  return async ({ call, params }) => {
    const job_id = params['job_id'] ?? '';
    await call(jobs.setFollowing, { job_id, following });
    return goTo(`/app/jobs/${job_id}`, following ? 'followed' : 'unfollowed');
  };
}

/** Reads the computation that the address names. A task that is gone shows nothing. */
export function readTask({ call, query }: Visit): Promise<Task | undefined> {
  const { task: task_id } = query;
  if (task_id === undefined) return Promise.resolve(undefined);
  return readUnlessRefused(['task_not_found', 'field_invalid'], () => call(tasks.readTask, { task_id }));
}

export function renderTask({ texts: { jobTools: texts }, format }: Visit, { status, progress }: Task): Html {
  if (status === 'succeeded') return html`<p class="message good" role="status">${texts.recomputed}</p>`;
  if (status === 'failed') return html`<p class="message bad" role="alert">${texts.failed}</p>`;
  const words = texts.progress(format.formatNumber(progress.done), format.formatNumber(progress.total));
  return html`<div class="message good" role="status">
    <p>${texts.running}</p>
    <progress max="${Math.max(1, progress.total)}" value="${progress.done}" aria-label="${words}"></progress>
  </div>`;
}
