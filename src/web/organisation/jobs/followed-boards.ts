import * as jobs from '#modules/matching/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { renderAddress } from '../../parts/address.ts';
import { renderForm } from '../../parts/form.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, type Page, type Visit } from '../../serving/page.ts';
import { renderDraft } from './render-drafts.ts';

type Board = OperationBody<typeof jobs.listBoards>['data'][number];
type Changes = OperationBody<typeof jobs.listBoardChanges>;

/** An organisation follows at most ten boards. */
const boards_max = 10;
const changes_max = 20;

const path = '/app/jobs/import';

/** What the forms about followed boards do. */
export const boardActions: NonNullable<Page['actions']> = {
  follow: async (visit, { url = '', closes_gone = '' }) => {
    await visit.call(jobs.followBoard, { url, closes_gone: closes_gone === 'true' });
    return goTo(path);
  },
  readNow: async (visit, { board_id = '' }) => {
    await visit.call(jobs.readBoardNow, { board_id });
    return goTo(path);
  },
  setActive: async (visit, { board_id = '', is_active = '' }) => {
    await visit.call(jobs.updateBoard, { board_id, is_active: is_active === 'true' });
    return goTo(path);
  },
  unfollow: async (visit, { board_id = '' }) => {
    await visit.call(jobs.unfollowBoard, { board_id });
    return goTo(path);
  },
  dismiss: async (visit, { change_id = '' }) => {
    await visit.call(jobs.dismissBoardChanges, { change_id });
    return goTo(path);
  },
  close: async (visit, { job_id = '' }) => {
    await visit.call(jobs.closeJob, { job_id });
    return goTo(path);
  },
};

/** The boards that the organisation follows, and what they say that its jobs do not. */
export async function renderFollowedBoards(visit: Visit): Promise<Html> {
  const { jobImport: texts } = visit.texts;
  const [{ data: boards }, changes] = await Promise.all([
    visit.call(jobs.listBoards, { limit: boards_max }),
    visit.call(jobs.listBoardChanges, { limit: changes_max }),
  ]);
  return html`${changes.data.length > 0 && renderChanges(visit, changes)}
    <section class="group after">
      <h2>${texts.followed}</h2>
      <p>${texts.followedLead}</p>
      ${boards.map((board) => renderBoard(visit, board))}
      ${renderForm(visit, {
        action: 'follow',
        button: texts.followButton,
        look: 'quiet',
        fields: [
          { name: 'url', id: 'follow-url', label: texts.url, hint: texts.urlHint, maxlength: 2_000 },
          { name: 'closes_gone', label: texts.closesGone, hint: texts.closesGoneHint, look: 'check' },
        ],
      })}
    </section>`;
}

function renderChanges(visit: Visit, { data, pagination }: Changes): Html {
  const { jobImport: texts } = visit.texts;
  const more = pagination.total_count - data.length;
  return html`<section class="group after" aria-labelledby="changes">
    <h2 id="changes">${texts.changesTitle}</h2>
    ${data.map(({ id, change, draft }) =>
      renderDraft(
        visit,
        draft,
        html`${change === 'gone' && renderGone(visit, draft.job?.id)}
        ${renderForm(visit, {
          action: 'dismiss',
          button: texts.dismiss,
          button_label: texts.ofBoard(texts.dismiss, draft.title ?? texts.untitled),
          look: 'quiet',
          hidden: { change_id: id },
        })}`,
      ),
    )}
    ${more > 0 && html`<p class="quiet">${texts.moreChanges(visit.format.formatNumber(more))}</p>`}
  </section>`;
}

function renderGone(visit: Visit, job_id: string | undefined): Html {
  const { jobImport: texts } = visit.texts;
  return html`<p>${texts.goneSentence}</p>
    ${job_id !== undefined && renderForm(visit, { action: 'close', button: texts.closeGone, hidden: { job_id } })}`;
}

function renderBoard(visit: Visit, board: Board): Html {
  const { jobImport: texts } = visit.texts;
  const { id: board_id, url, is_active, last_fault } = board;
  const { host } = new URL(url);
  const renderButton = (action: string, label: string, hidden: Readonly<Record<string, string>> = {}) =>
    renderForm(visit, {
      action,
      button: label,
      button_label: texts.ofBoard(label, host),
      look: 'quiet',
      hidden: { board_id, ...hidden },
    });
  return html`<article class="panel">
    <h3>${renderAddress(url)}</h3>
    ${describeReading(visit, board).map((sentence) => html`<p>${sentence}</p>`)}
    ${last_fault !== null && html`<p class="error">${texts.failed(last_fault)}</p>`}
    <div class="buttons">
      ${renderButton('readNow', texts.readNow)}
      ${is_active ? renderButton('setActive', texts.pause, { is_active: 'false' }) : renderButton('setActive', texts.resume, { is_active: 'true' })}
      ${renderButton('unfollow', texts.unfollow)}
    </div>
  </article>`;
}

function describeReading(visit: Visit, board: Board): readonly string[] {
  const { texts, format } = visit;
  const { jobImport } = texts;
  const { read_at, posting_count, left_out, is_active, next_read_at } = board;
  return [
    ...(read_at === null
      ? []
      : [jobImport.lastRead(format.formatTime(read_at), format.formatNumber(posting_count))]),
    ...(left_out > 0 ? [jobImport.leftOutOfBoard(format.formatNumber(left_out))] : []),
    is_active ? jobImport.nextRead(format.formatTime(next_read_at)) : jobImport.paused,
  ];
}
