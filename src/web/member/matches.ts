import * as matching from '#modules/matching/matches';
import * as traits from '#modules/measurement/traits';
import * as members from '#modules/people/members';
import type { OperationBody } from '#platform/operation.ts';
import { readUnlessRefused } from '../parts/read-unless-refused.ts';
import { html, type Html } from '../serving/html.ts';
import { readCursor, showHeaded, showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderMatchTabs } from './tabs.ts';

const deployed_level = 4;
const rows_max = 100;

/** The member's matches: those that wait for an answer first, the ended ones apart. */
export const matchesPage: Page = {
  show: async (visit) => {
    const { engagement_level } = await visit.call(members.readEngagement);
    if (engagement_level < deployed_level) return showNotYet(visit);
    const { data, pagination } = await visit.call(matching.listMemberMatches, {
      limit: rows_max,
      ...readCursor(visit),
    });
    const { matches } = visit.texts;
    const groups = Map.groupBy(data, ({ status }) => groupByStatus[status]);
    const content = html`${(['waiting', 'agreed', 'possible'] as const).map((group) => renderGroup(visit, group, groups.get(group)))}
    ${renderEnded(visit, groups.get('ended'))}
    ${pagination.next_cursor !== null && html`<p><a href="/app/matches?cursor=${encodeURIComponent(pagination.next_cursor)}">${matches.more}</a></p>`}`;
    return showHeaded(
      { title: matches.title, lead: data.length === 0 ? matches.empty : matches.lead },
      content,
      {
        tabs: renderMatchTabs(visit),
        below: html`${data.length > 0 && (await renderKnown(visit))}
        ${data.some(({ preliminary }) => preliminary) && renderPreliminary(visit)}
        ${data.length > 0 && html`<p class="quiet">${data.some(isUnstable) && matches.unstable} <a href="/model-card">${matches.howTiers}</a></p>`}`,
      },
    );
  },
};

type Match = OperationBody<typeof matching.listMemberMatches>['data'][number];
/** A match as the list shows it. The stability of the tier of one that has ended is not shown. */
type ListedMatch = Pick<Match, 'id' | 'job_title' | 'org_name' | 'match_tier' | 'status' | 'created_at'> &
  Partial<Pick<Match, 'confidence_level'>>;
type Group = keyof Visit['texts']['matches']['groups'];

const groupByStatus: Readonly<Record<Match['status'], Group>> = {
  org_interested: 'waiting',
  member_accepted: 'agreed',
  placed: 'agreed',
  pending_review: 'possible',
  org_passed: 'ended',
  member_declined: 'ended',
  closed: 'ended',
  expired: 'ended',
  withdrawn: 'ended',
};

/** The statuses in which a match has ended without an agreement. */
export const endedStatuses: ReadonlySet<Match['status']> = new Set([
  'org_passed',
  'member_declined',
  'closed',
  'expired',
  'withdrawn',
]);

/** What a member sees who is not matched now: the way there, and the matches that have ended. */
async function showNotYet(visit: Visit): Promise<View> {
  const { matches } = visit.texts;
  const ended = await listEnded(visit);
  const content = html`${renderMatchTabs(visit)}
    <div class="reading">
      <h1>${matches.title}</h1>
      <p class="lead">${matches.notYet}</p>
      <p class="buttons"><a class="button" href="/app">${matches.toHome}</a></p>
    </div>
    ${renderEnded(visit, ended.length > 0 ? ended : undefined)}`;
  return showView({ title: matches.title, layout: 'app', content });
}

const ended_max = 20;

/** The matches of a member who has left matching. The list of matches is for those who are matched, so each one is read with its job. */
async function listEnded({ call, caller }: Visit): Promise<readonly ListedMatch[]> {
  if (caller.role !== 'member') return [];
  const { member_id } = caller;
  const { data } = await call(matching.listMatchesByMember, { member_id, limit: ended_max });
  const ended = data.filter(({ match_status }) => endedStatuses.has(match_status));
  return Promise.all(
    ended.map(async ({ id, match_quality, match_status, computed_at }) => {
      const { title, organisation } = await call(matching.readMatchJob, { match_id: id });
      return {
        id,
        job_title: title,
        org_name: organisation.name,
        match_tier: match_quality,
        status: match_status,
        created_at: computed_at,
      };
    }),
  );
}

/** How well the member is known, which is not how stable a tier is: one who is hardly known can have a tier that stays. */
async function renderKnown(visit: Visit): Promise<Html | undefined> {
  const { matches } = visit.texts;
  const vector = await readUnlessRefused(['trait_vector_not_found'], () => visit.call(traits.readTraits));
  if (!vector) return undefined;
  const results = [...vector.traits, ...vector.categorical_traits];
  const clear = results.filter(({ certainty }) => certainty === 'clear');
  const [known, all] = [clear, results].map(({ length }) => visit.format.formatNumber(length));
  return html`<p class="quiet">
    ${matches.known(known!, all!)} <a href="/app/traits">${matches.toTraits}</a>
  </p>`;
}

function renderPreliminary({ texts: { matches, assessment } }: Visit): Html {
  return html`<p class="message">
    ${matches.preliminary} <a href="/app/assessment?more=true">${assessment.deepen}</a>
  </p>`;
}

function renderGroup(visit: Visit, group: Group, matches: readonly Match[] | undefined): Html | undefined {
  return (
    matches &&
    html`<section class="group ${group}">
      <h2>${visit.texts.matches.groups[group]}</h2>
      ${renderList(visit, matches)}
    </section>`
  );
}

function renderEnded(visit: Visit, matches: readonly ListedMatch[] | undefined): Html | undefined {
  return (
    matches &&
    html`<details class="group">
      <summary>${visit.texts.matches.groups.ended} (${visit.format.formatNumber(matches.length)})</summary>
      ${renderList(visit, matches)}
    </details>`
  );
}

/** Whether the list marks the tier of a match as one that can still change. */
function isUnstable({ status, confidence_level }: Match): boolean {
  return confidence_level === 'low' && !endedStatuses.has(status);
}

/** Renders a tier. A dashed frame says that it can still change, and hidden words say so to screen readers. */
function renderTier(
  { texts: { matches } }: Visit,
  tier: Match['match_tier'],
  confidence_level: Match['confidence_level'] | undefined,
): Html {
  const isOpen = confidence_level === 'low';
  return html`<span class="tag ${tier} ${isOpen && 'unstable'}"
    >${matches.tiers[tier]}${isOpen && html`<span class="hidden">, ${matches.canChange}</span>`}</span
  >`;
}

function renderList(visit: Visit, list: readonly ListedMatch[]): Html {
  const { texts, format } = visit;
  const { matches } = texts;
  return html`<ul class="list">
    ${list.map(
      ({ id, job_title, org_name, match_tier, confidence_level, status, created_at }) =>
        html`<li>
          <a href="/app/matches/${id}"><strong>${job_title}</strong> <span>${matches.at(org_name)}</span></a>
          ${renderTier(visit, match_tier, endedStatuses.has(status) ? undefined : confidence_level)}
          <span class="quiet small">${matches.statuses[status]} ${format.formatDate(created_at)}</span>
        </li>`,
    )}
  </ul>`;
}
