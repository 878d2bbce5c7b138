import * as jobs from '#modules/matching/jobs';
import * as matching from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { listSentences, renderBelonging } from '../../parts/explained-person.ts';
import { renderForm } from '../../parts/form.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Content, type Html } from '../../serving/html.ts';
import { showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { isAdmin } from '../admins-only.ts';
import { buildDecisionActions, renderTakeBack, renderUndo } from '../shortlist/decisions.ts';
import {
  nameMatch,
  readMatchOfJob,
  renderRemovable,
  renderRequirementList,
  type Match,
} from '../shortlist/match.ts';
import { buildAddress } from '../shortlist/selection.ts';
import { buildCompareAddress, compared_max, readIds } from './table-view.ts';

/** Two to six people of a job beside each other: why they fit, what they meet, what is noted about them, and the decision. */
export const comparePage: Page = {
  show: async (visit) => {
    const { job_id, ids } = readPeople(visit);
    const { compare } = visit.texts;
    const job = await visit.call(jobs.readJob, { job_id });
    const back = [`/app/jobs/${job_id}/table`, `${job.title}: ${compare.back}`] as const;
    const [{ content, isPending }, undo] = await Promise.all([
      renderPeople(visit, job_id, ids),
      renderUndo(visit),
    ]);
    return showHeaded({ title: compare.title }, html`${undo} ${content}`, {
      back,
      ...(isPending && { refresh_s: 3 }),
    });
  },
  actions: buildDecisionActions((visit) => {
    const { job_id, ids } = readPeople(visit);
    return { job_id, buildAddress: () => buildCompareAddress(job_id, ids) };
  }),
};

function readPeople({ params, query }: Visit) {
  return { job_id: params['job_id'] ?? '', ids: readIds(query['people']) };
}

type Rendered = { readonly content: Html; readonly isPending: boolean };

async function renderPeople(visit: Visit, job_id: string, ids: readonly string[]): Promise<Rendered> {
  const { compare } = visit.texts;
  if (ids.length > compared_max)
    return { content: await renderTooMany(visit, job_id, ids), isPending: false };
  const found = await Promise.all(ids.map((id) => readPerson(visit, job_id, id)));
  const people = found.filter((person) => person !== undefined);
  const gone = people.length < ids.length && html`<p class="message" role="status">${compare.gone}</p>`;
  if (people.length < 2)
    return {
      content: html`${gone}
        <p>${compare.tooFew}</p>`,
      isPending: false,
    };
  const isPending = people.some(({ explanation }) => explanation !== undefined && 'task_id' in explanation);
  return { content: html`${gone} ${renderComparison(visit, job_id, people)}`, isPending };
}

/** So many people are named, of those who were chosen by mistake. */
const named_max = 20;

async function renderTooMany(visit: Visit, job_id: string, ids: readonly string[]): Promise<Html> {
  const { compare } = visit.texts;
  const matches = await Promise.all(ids.slice(0, named_max).map((id) => readMatchOfJob(visit, job_id, id)));
  return html`<div class="message bad" role="alert">
      <p>${compare.tooMany(visit.format.formatNumber(ids.length))}</p>
    </div>
    <ul class="chips">
      ${matches.map(
        (match) =>
          match &&
          renderRemovable(
            nameMatch(visit, match),
            buildCompareAddress(
              job_id,
              ids.filter((id) => id !== match.id),
            ),
            compare.leaveOut,
          ),
      )}
    </ul>`;
}

type Person = {
  readonly match: Match;
  readonly explanation: OperationBody<typeof matching.readExplanation> | undefined;
  readonly requirements: OperationBody<typeof matching.readRequirements>['requirements'];
  readonly noted: OperationBody<typeof matching.readPrivateNote>;
};

/** Reads what is compared of a person; undefined for somebody who is gone, or of another job. */
async function readPerson(visit: Visit, job_id: string, match_id: string): Promise<Person | undefined> {
  const match = await readMatchOfJob(visit, job_id, match_id);
  if (!match) return undefined;
  const hidden = ['consent_required', 'match_ended'] as const;
  const [explanation, requirements, noted] = await Promise.all([
    readUnlessRefused(hidden, () => visit.call(matching.readExplanation, { match_id })),
    readUnlessRefused(hidden, () => visit.call(matching.readRequirements, { match_id })),
    visit.call(matching.readPrivateNote, { match_id }),
  ]);
  return { match, explanation, requirements: requirements?.requirements ?? [], noted };
}

/** Renders a table with a person a column. On a narrow screen, each row lists the people below each other. */
function renderComparison(visit: Visit, job_id: string, people: readonly Person[]): Html {
  const { compare, shortlist, matches } = visit.texts;
  const names = people.map(({ match }) => nameMatch(visit, match));
  const shared = findSharedSentences(people);
  const rows: readonly (readonly [name: string, render: (person: Person) => Content])[] = [
    [compare.fit, ({ match }) => matches.tiers[match.match_quality]],
    ...(shared.length === 0 || people.some((person) => listOwnSentences(person, shared).length > 0)
      ? [[compare.summary, (person: Person) => renderSummary(visit, person, shared)] as const]
      : []),
    ...(people.some(({ requirements }) => requirements.length > 0)
      ? [
          [
            compare.requirements,
            ({ requirements }: Person) => renderRequirementList(visit, requirements),
          ] as const,
        ]
      : []),
    [
      shortlist.belongingTitle,
      ({ explanation }) =>
        explanation && !('task_id' in explanation) && renderBelonging(visit.texts, explanation),
    ],
    [
      compare.confidence,
      ({ explanation }) => explanation && !('task_id' in explanation) && explanation.confidence_statement,
    ],
    [
      compare.notes,
      ({ noted }) =>
        html`${noted.labels.map((label) => html`<span class="tag">${label}</span> `)} ${noted.note}`,
    ],
    [compare.decision, ({ match }) => renderDecision(visit, match)],
  ];
  return html`${shared.length > 0 && html`<p>${compare.ofAll} ${shared.join(' ')}</p>`}
    <table class="people-table compared">
      <caption class="hidden">
        ${compare.title}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${people.map(({ match }, place) => html`<th scope="col"><a href="${buildAddress({ job_id, status: 'pending_review', quality: undefined, cursor: undefined, match: match.id })}">${names[place]}</a></th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, render]) =>
            html`<tr>
              <th scope="row">${name}</th>
              ${people.map((person, place) => html`<td data-name="${names[place]}">${render(person)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
}

function listReasons({ explanation }: Person): readonly string[] {
  return explanation && !('task_id' in explanation) ? listSentences(explanation.summary_text) : [];
}

function listOwnSentences(person: Person, shared: readonly string[]): readonly string[] {
  return listReasons(person).filter((sentence) => !shared.includes(sentence));
}

/** Finds the sentences that the explanations of all people have, so that what tells them apart is not hidden among them. */
function findSharedSentences(people: readonly Person[]): readonly string[] {
  const [first = [], ...others] = people.map(listReasons);
  return first.filter((sentence) => others.every((sentences) => sentences.includes(sentence)));
}

function renderSummary({ texts: { compare } }: Visit, person: Person, shared: readonly string[]): Content {
  if (!person.explanation) return compare.hidden;
  if ('task_id' in person.explanation) return compare.writing;
  return html`<ul class="apart">
    ${listOwnSentences(person, shared).map((sentence) => html`<li>${sentence}</li>`)}
  </ul>`;
}

function renderDecision(visit: Visit, match: Match): Html {
  const { shortlist } = visit.texts;
  const name = nameMatch(visit, match);
  const canDecide = match.match_status === 'pending_review' && isAdmin(visit);
  return html`<p>${shortlist.statuses[match.match_status]}</p>
    ${
      canDecide &&
      renderForm(visit, {
        action: 'decide',
        button: shortlist.interested,
        button_label: `${shortlist.interested}: ${name}`,
        look: 'quiet',
        hidden: { match_id: match.id },
        after: html`<button
          class="button quiet"
          name="choice"
          value="pass"
          aria-label="${shortlist.pass}: ${name}"
        >
          ${shortlist.pass}
        </button>`,
      })
    }
    ${renderTakeBack(visit, match)}`;
}
