import * as impact from '#modules/matching/impact';
import type * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import { html, type Content, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { collectAllFaults, type ReadJob } from './read-job-form.ts';

/** The page that a script reads while sliders move, and the beginnings of the fields that it needs. */
const live = {
  address: '/app/jobs/reach',
  fields: 'priority_ pick_ location_ years_ education_ clearance_',
};

/** Renders the place beside the sliders that says whom a job reaches. */
export function renderReach(
  { texts: { jobEditor: texts } }: Visit,
  content?: Content,
  heading: 'h2' | 'h3' = 'h3',
): Html {
  return html`<div class="reach" id="reach" data-reach="${live.address}" data-reach-fields="${live.fields}">
    ${heading === 'h2' ? html`<h2>${texts.reachTitle}</h2>` : html`<h3>${texts.reachTitle}</h3>`}
    <div aria-live="polite">${content ?? html`<p class="quiet">${texts.reachIdle}</p>`}</div>
  </div>`;
}

/** Describes whom a job reaches: by its priorities, how many at each tier, and by its conditions, as a band. */
export async function describeReach(visit: Visit, read: ReadJob): Promise<Html> {
  const { jobEditor: texts } = visit.texts;
  const { trait_priorities } = read.job;
  const asks = Object.values(trait_priorities).some((priority) => priority > 0);
  const described = await readUnlessRefused(['email_not_verified'], async () => {
    const conditions = await describeConditions(visit, read);
    const tiers =
      asks && (await collectAllFaults(read, () => visit.call(impact.previewReach, { trait_priorities })));
    return html`${tiers ? describeTiers(visit, tiers) : html`<p class="quiet">${texts.reachIdle}</p>`}
      <p>${conditions}</p>`;
  });
  return described ?? html`<p>${texts.reachUnverified}</p>`;
}

async function describeConditions(visit: Visit, read: ReadJob): Promise<string> {
  const { jobEditor: texts } = visit.texts;
  const { constraints, clearance_required }: ReachInput = read.job;
  const { at_least, less_than } = await collectAllFaults(read, () =>
    visit.call(matches.estimateReach, { constraints, clearance_required }),
  );
  if (at_least === null || less_than === null) return texts.reachCounting;
  const { formatNumber } = visit.format;
  if (at_least === 0) return texts.reachFew(formatNumber(less_than));
  return texts.reachBetween(formatNumber(at_least), formatNumber(less_than));
}

type ReachInput = Pick<Required<OperationInput<typeof jobs.createJob>>, 'constraints' | 'clearance_required'>;

function describeTiers(
  { texts: { jobEditor: texts, matches: words }, format }: Visit,
  { members, measured_on, tiers }: OperationBody<typeof impact.previewReach>,
): Html {
  if (members === null || measured_on === null) return html`<p>${texts.reachNobody}</p>`;
  return html`<p>${texts.reachTiers(format.formatNumber(members), format.formatDate(measured_on))}</p>
    <ul>
      ${tiers.map(({ match_quality, about }) => {
        const tier = words.tiers[match_quality];
        return html`<li>
          ${about === null ? texts.reachTierFew(tier) : texts.reachTier(tier, format.formatNumber(about))}
        </li>`;
      })}
    </ul>
    <p class="quiet small">${texts.reachLead}</p>`;
}
