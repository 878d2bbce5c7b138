import * as matching from '#modules/matching/matches';
import type { OperationBody } from '#platform/operation.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';

/** A person on a list, as the organisation sees them. */
export type Match = OperationBody<typeof matching.listJobMatches>['data'][number];

/** How the organisation calls a person: by name, once both have agreed. */
export function nameMatch(
  { texts }: Pick<Visit, 'texts'>,
  { member_name, member_id }: Pick<Match, 'member_name' | 'member_id'>,
): string {
  return member_name ?? matching.formatHandle(texts.shortlist.person, member_id);
}

/** Reads a match of a job; undefined for one that is gone, or of another job. */
export function readMatchOfJob(visit: Visit, job_id: string, match_id: string): Promise<Match | undefined> {
  return readUnlessRefused(['match_not_found', 'field_invalid'], async () => {
    const match = await visit.call(matching.readMatch, { match_id });
    return match.job_id === job_id ? match : undefined;
  });
}

type Requirements = OperationBody<typeof matching.readRequirements>['requirements'];

/** Renders which requirements of the job a person meets. */
export function renderRequirementList({ texts: { shortlist } }: Visit, requirements: Requirements): Html {
  return html`<ul class="met">
    ${requirements.map(({ asked, met }) => html`<li class="${met ? 'yes' : 'no'}"><span class="hidden">${met ? shortlist.met : shortlist.notMet}</span> ${asked}</li>`)}
  </ul>`;
}

/** Renders a link that takes somebody out of a choice. `words` say so to screen readers. */
export function renderRemovable(name: string, address: string, words: string): Html {
  return html`<li>
    <a href="${address}" title="${words}"
      >${name} <span aria-hidden="true">×</span><span class="hidden">: ${words}</span></a
    >
  </li>`;
}
