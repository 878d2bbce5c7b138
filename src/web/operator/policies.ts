import * as learning from '#modules/matching/learning';
import * as tasks from '#modules/operations/tasks';
import type { OperationBody } from '#platform/operation.ts';
import { renderDisclosure, renderTicks } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { renderFacts } from '../parts/facts.ts';
import { buildAddress } from '../parts/next-page.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../serving/page.ts';

type Policies = OperationBody<typeof learning.listFitPolicies>;
type Policy = Policies['policies'][number];

const at = '/app/operator/policies';
const refresh_s = 3;

/** The versions of what outcomes have taught matching, their evaluations, and which one was in use when. */
export const policiesPage: Page = {
  show: async (visit) => {
    const { operatorPolicies: words } = visit.texts;
    const { live, policies, uses } = await visit.call(learning.listFitPolicies);
    const { task: task_id, preview: previewed } = visit.query;
    const task = task_id === undefined ? undefined : await visit.call(tasks.readTask, { task_id });
    const preview =
      previewed === undefined
        ? undefined
        : await visit.call(learning.previewFitPolicy, { version: previewed });
    const content = html`${task && renderPromotion(visit, task.status)}
      <div class="cards">${policies.map((policy) => renderPolicy(visit, policy, { live, preview }))}</div>
      ${renderUses(visit, uses)} ${renderRollback(visit, live, policies)}`;
    return showHeaded(words, content, {
      below: html`<p class="quiet"><a href="/model-card">${words.card}</a></p>`,
      ...((task?.status === 'queued' || task?.status === 'running') && { refresh_s }),
    });
  },
  actions: {
    promote: async ({ call }, { version, live }) => {
      const chosen = { version: version ?? '', live: Number(live) };
      const { task_id } = await call(learning.promoteFitPolicy, chosen);
      return goTo(buildAddress(at, { task: task_id }));
    },
    rollback: async ({ call }, { live }) => {
      await call(learning.rollBackFitPolicy, { live: Number(live) });
      return goTo(at, 'policyRolledBack');
    },
  },
};

function renderPromotion({ texts }: Visit, status: OperationBody<typeof tasks.readTask>['status']): Html {
  const { promotion } = texts.operatorPolicies;
  if (status === 'failed') return html`<p class="message bad" role="alert">${promotion.failed}</p>`;
  return html`<p class="message" role="status">${promotion[status]}</p>`;
}

/** What going back does, before the button that does it. */
function renderRollback(visit: Visit, live: number, policies: readonly Policy[]): Html | false {
  const { operatorPolicies: words } = visit.texts;
  const { formatNumber } = visit.format;
  const parent = policies.find(({ version }) => version === live)?.parent;
  if (typeof parent !== 'number') return false;
  return renderDisclosure(
    words.rollback,
    html`${renderTicks(words.rollbackConsequences(formatNumber(live), formatNumber(parent)))}
    ${renderForm(visit, {
      action: 'rollback',
      button: words.rollbackButton(formatNumber(parent)),
      look: 'danger',
      hidden: { live: String(live) },
    })}`,
    visit.form.action === 'rollback',
  );
}

type Preview = OperationBody<typeof learning.previewFitPolicy>;

function renderPolicy(
  visit: Visit,
  policy: Policy,
  { live, preview }: { readonly live: number; readonly preview: Preview | undefined },
): Html {
  const { operatorPolicies: words } = visit.texts;
  const { formatNumber, formatDate } = visit.format;
  const { version, parent, created_at, outcomes, organisations, evaluation } = policy;
  const state = version === live ? words.live : parent === live ? words.candidate : words.earlier;
  return html`<section class="panel">
    <h2>
      ${words.version(formatNumber(version))}
      <span class="tag ${version !== live && 'plain'}">${state}</span>
    </h2>
    ${
      parent === null
        ? html`<p>${words.first}</p>`
        : html`<p>
            ${words.made(formatNumber(parent), formatDate(created_at))}
            ${words.trained(formatNumber(outcomes), formatNumber(organisations))}
          </p>`
    }
    ${evaluation ? renderEvaluation(visit, evaluation) : parent !== null && html`<p class="quiet">${words.notEvaluated}</p>`}
    ${parent === live && html`${renderPreview(visit, version, preview)} ${renderPromote(visit, version, live)}`}
  </section>`;
}

/** What a candidate would change, or the link that computes it. */
function renderPreview(visit: Visit, version: number, preview: Preview | undefined): Html {
  const { operatorPolicies: words } = visit.texts;
  const { formatNumber } = visit.format;
  if (preview?.version !== version) {
    const address = buildAddress(at, { preview: String(version) });
    const label = words.previewOf(formatNumber(version));
    return html`<p><a class="button quiet" href="${address}" aria-label="${label}">${words.preview}</a></p>`;
  }
  const { members, tiers, multipliers, families } = preview;
  const steps = multipliers.map(({ trait, live, candidate }) =>
    words.step(visit.texts.traits.names[trait], live.toFixed(2), candidate.toFixed(2)),
  );
  return html`<div role="status">
    <h3>${words.changes}</h3>
    <p>${words.compared(formatNumber(members), formatNumber(tiers.jobs))}</p>
    ${renderFacts([
      [words.lists, words.listsOf(formatNumber(tiers.lists), formatNumber(tiers.jobs))],
      [words.tiersMoved, words.moved(formatNumber(tiers.better), formatNumber(tiers.worse))],
      [words.tiersKept, formatNumber(tiers.kept)],
      [words.multipliers, steps.length > 0 ? renderTicks(steps) : words.noSteps],
      [words.families, families.length > 0 ? families.join(', ') : undefined],
    ])}
    <p class="quiet">${words.bounds}</p>
  </div>`;
}

/** What promoting does, before the button that does it. */
function renderPromote(visit: Visit, version: number, live: number): Html {
  const { operatorPolicies: words } = visit.texts;
  const name = visit.format.formatNumber(version);
  return renderDisclosure(
    words.promote,
    html`${renderTicks(words.promoteConsequences(name, visit.format.formatNumber(live)))}
    ${renderForm(visit, {
      action: 'promote',
      button: words.promoteButton(name),
      hidden: { version: String(version), live: String(live) },
    })}`,
    visit.form.action === 'promote',
  );
}

function renderEvaluation({ texts, format }: Visit, evaluation: NonNullable<Policy['evaluation']>): Html {
  const { operatorPolicies: words } = texts;
  const { formatNumber } = format;
  const { gain, lower_bound, outcomes, organisations, groups_compared, regressions, reasons } = evaluation;
  const decision =
    reasons.length === 0 ? words.allowed : reasons.map((reason) => words.reasons[reason]).join(', ');
  const formatPoints = (share: number) => words.percent((100 * share).toFixed(1));
  return renderFacts([
    [words.gain, formatPoints(gain)],
    [words.bound, lower_bound === null ? texts.operator.none : formatPoints(lower_bound)],
    [words.evidence, words.evidenceOf(formatNumber(outcomes), formatNumber(organisations))],
    [words.fairness, describeFairness(texts, formatNumber(groups_compared), groups_compared, regressions)],
    [words.decision, decision],
    [words.evaluated, format.formatDate(evaluation.evaluated_at)],
  ]);
}

function describeFairness(
  { operatorPolicies: words }: Visit['texts'],
  count: string,
  groups: number,
  regressions: readonly string[],
): string {
  if (regressions.length > 0) return words.unfair(regressions.join(', ').replaceAll('_', ' '));
  return groups === 0 ? words.unknownFairness : words.fair(count);
}

function renderUses({ texts, format }: Visit, uses: Policies['uses']): Html {
  const { operatorPolicies: words } = texts;
  return html`<section class="group">
    <h2>${words.uses}</h2>
    <ul class="list">
      ${uses.map(
        ({ version, action, used_at }) =>
          html`<li>
            <span
              ><strong>${words.version(format.formatNumber(version))}</strong>
              <span class="quiet small">${words.actions[action]}</span></span
            >
            <time datetime="${used_at}">${format.formatDate(used_at)}</time>
          </li>`,
      )}
    </ul>
  </section>`;
}
