import { LRUCache } from 'lru-cache';
import * as matching from '#modules/matching/matches';
import { instanceMemory } from '#platform/instance-memory.ts';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { renderFeedback } from '../../parts/feedback.ts';
import { renderTakeBack } from './decisions.ts';
import { nameMatch, renderRequirementList, type Match } from './match.ts';
import { renderExplainedPerson } from '../../parts/explained-person.ts';
import { renderPlacement } from './placement.ts';
import { renderPrivateNote } from './private-note.ts';
import { buildAddress, type Selection } from './selection.ts';

type Explanation = OperationBody<typeof matching.readExplanation>;
type Requirements = OperationBody<typeof matching.readRequirements>;

/** A person of a shortlist, and the list around them. */
type Candidate = {
  readonly match: Match;
  readonly matches: readonly Match[];
  readonly selection: Selection;
};

/** A person of a shortlist, and whether their reasons are still being written. */
type RenderedCandidate = { readonly content: Html; readonly isPending: boolean };

/** Why the organisation may not read something, or no longer. It is then left out. */
const hidden = ['consent_required', 'match_ended'] as const;

/** Renders one person of a shortlist: why they fit, which requirements they meet, and what the organisation decides. */
export async function renderCandidate(
  visit: Visit,
  { match, matches, selection }: Candidate,
): Promise<RenderedCandidate> {
  const { shortlist } = visit.texts;
  const { id: match_id, member_id, match_status, match_quality } = match;
  const isAgreed = match_status === 'member_accepted' || match_status === 'placed';
  const place = matches.indexOf(match);
  const [previous, next] = [matches[place - 1]?.id, matches[place + 1]?.id];
  const [explanation, requirements, contact, note] = await Promise.all([
    readExplanation(visit, match_id),
    readUnlessRefused(hidden, () => visit.call(matching.readRequirements, { match_id })),
    isAgreed ? readContact(visit, match_id) : undefined,
    renderPrivateNote(visit, match),
    next !== undefined && beginExplanation(visit, next),
  ]);
  const isPending = explanation !== undefined && 'task_id' in explanation;
  const name = nameMatch(visit, match);
  const content = html`<section class="panel candidate" aria-labelledby="candidate">
    <header>
      <div>
        <h2 id="candidate">${name}</h2>
        <p>
          <span class="tag ${match_quality}">${visit.texts.matches.tiers[match_quality]}</span>
          <span class="quiet">${shortlist.statuses[match_status]}</span>
        </p>
      </div>
      <p class="turn">
        ${renderTurn(shortlist.previous, 'k', previous && buildAddress({ ...selection, match: previous }))}
        ${renderTurn(shortlist.next, 'j', next && buildAddress({ ...selection, match: next }))}
      </p>
    </header>
    ${contact && renderContact(visit, contact)}
    ${isAgreed && (await renderPlacement(visit, { match_id, match_status }))}
    ${match_status === 'placed' && (await renderFeedback(visit, match_id, 'organisation'))}
    ${explanation && renderExplanation(visit, explanation, buildAddress({ ...selection, match: match_id }))}
    ${requirements && renderRequirements(visit, requirements)}
    ${match_status === 'pending_review' && visit.caller.role === 'org_admin' && renderDecision(visit, { match_id, next: next ?? '', requirements })}
    ${renderTakeBack(visit, match)} ${note}
    ${isAgreed && visit.caller.role === 'org_admin' && html`<p class="quiet small"><a href="/app/attestations/new?match_id=${match_id}">${visit.texts.attestations.attest}</a></p>`}
    ${visit.caller.role === 'org_admin' && html`<p class="quiet small"><a href="/app/reads/new?member_id=${member_id}">${visit.texts.newRead.link}</a></p>`}
    ${explanation && visit.caller.role === 'org_admin' && html`<p class="quiet small"><a href="/app/jobs/${match.job_id}/matches/${match_id}/report" download>${visit.texts.reports.matchReport}</a></p>`}
  </section>`;
  return { content, isPending };
}

async function readExplanation(visit: Visit, match_id: string): Promise<Explanation | undefined> {
  const explanation = await readUnlessRefused(hidden, () =>
    visit.call(matching.readExplanation, { match_id }),
  );
  if (explanation && !('task_id' in explanation)) getWritten(visit).set(match_id, true);
  return explanation;
}

/** Matches whose reasons were written a short while ago. If they are outdated already, the visitor waits for them once. */
const getWritten = instanceMemory(() => new LRUCache<string, true>({ max: 10_000, ttl: 600_000 }));

/** The reasons are written when they are first read, so those of the next person are begun before they are shown. */
async function beginExplanation(visit: Visit, match_id: string): Promise<void> {
  if (!getWritten(visit).has(match_id)) await readExplanation(visit, match_id);
}

function renderTurn(words: string, key: string, address: string | undefined): Html | undefined {
  return address === undefined ? undefined : html`<a href="${address}" data-key="${key}">${words}</a>`;
}

function renderExplanation({ texts }: Visit, explanation: Explanation, address: string): Html {
  if ('task_id' in explanation)
    return html`<p role="status">
      ${texts.match.explaining} <a href="${address}">${texts.shortlist.again}</a>
    </p>`;
  return renderExplainedPerson(texts, explanation);
}

function renderRequirements(visit: Visit, { requirements }: Requirements): Html | undefined {
  if (requirements.length === 0) return undefined;
  return html`<h3>${visit.texts.shortlist.requirements}</h3>
    ${renderRequirementList(visit, requirements)}`;
}

type Decision = {
  readonly match_id: string;
  readonly next: string;
  readonly requirements: Requirements | undefined;
};

function renderDecision(visit: Visit, { match_id, next, requirements }: Decision): Html {
  const { shortlist, match } = visit.texts;
  const names: Readonly<Record<string, string>> = match.fields;
  const received = requirements?.acceptance.organisation_receives.map(
    (name) => shortlist.receives[name] ?? names[name] ?? name,
  );
  return html`<div class="decision">
    ${renderForm(visit, {
      action: 'decide',
      button: shortlist.interested,
      key: 'i',
      hidden: { match_id, next },
      fields: [
        {
          name: 'note',
          label: shortlist.note,
          hint: shortlist.noteHint,
          lines: 2,
          maxlength: 1000,
          optional: true,
        },
      ],
      after: html`<button class="button quiet" name="choice" value="pass" data-key="p">
        ${shortlist.pass}
      </button>`,
    })}
    ${received && html`<p class="quiet small">${shortlist.afterAcceptance(visit.format.formatList(received))}</p>`}
    <p class="quiet small keys">${shortlist.keys}</p>
  </div>`;
}

type Contact = OperationBody<typeof matching.readContact>;

/** How to reach a person who has accepted. Auditors may not read it, and a member may have withdrawn. */
function readContact(visit: Visit, match_id: string): Promise<Contact | undefined> {
  if (visit.caller.role === 'auditor') return Promise.resolve(undefined);
  return readUnlessRefused(['contact_not_shared'], () => visit.call(matching.readContact, { match_id }));
}

function renderContact({ texts: { match, shortlist } }: Visit, { member, organisation }: Contact): Html {
  return html`<div class="contact">
    <h3>${match.contact}</h3>
    <p><a href="mailto:${member.email}">${member.email}</a></p>
    ${member.note !== null && html`<p class="terms">${member.note}</p>`}
    ${organisation.note !== null && html`<p class="quiet small">${shortlist.yourNote(organisation.note)}</p>`}
  </div>`;
}
