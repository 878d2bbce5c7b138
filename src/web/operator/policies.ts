import * as learning from '#modules/matching/learning';
import type { OperationBody } from '#platform/operation.ts';
import { renderDisclosure, renderTicks } from '../parts/disclosure.ts';
import { renderForm } from '../parts/form.ts';
import { renderFacts } from '../parts/facts.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../serving/page.ts';

type Policies = OperationBody<typeof learning.listFitPolicies>;
type Policy = Policies['policies'][number];

/** The versions of what outcomes have taught matching, their evaluations, and which one was in use when. */
export const policiesPage: Page = {
  show: async (visit) => {
    const { operatorPolicies: words } = visit.texts;
    const { live, policies, uses } = await visit.call(learning.listFitPolicies);
    const content = html`<div class="cards">
        ${policies.map((policy) => renderPolicy(visit, policy, live))}
      </div>
      ${renderUses(visit, uses)} ${renderRollback(visit, live, policies)}
      <section class="group reading">
        <h2>${words.commands}</h2>
        <p>${words.commandsText}</p>
        <p><code>npm run cli -- policy promote &lt;version&gt;</code></p>
      </section>`;
    return showHeaded(words, content, {
      below: html`<p class="quiet"><a href="/model-card">${words.card}</a></p>`,
    });
  },
  actions: {
    rollback: async ({ call }, { live }) => {
      await call(learning.rollBackFitPolicy, { live: Number(live) });
      return goTo('/app/operator/policies', 'policyRolledBack');
    },
  },
};

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

function renderPolicy(visit: Visit, policy: Policy, live: number): Html {
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
  </section>`;
}

function renderEvaluation({ texts, format }: Visit, evaluation: NonNullable<Policy['evaluation']>): Html {
  const { operatorPolicies: words } = texts;
  const { formatNumber } = format;
  const { gain, lower_bound, outcomes, organisations, groups_compared, regressions, reasons } = evaluation;
  const formatPoints = (share: number) => words.percent((100 * share).toFixed(1));
  return renderFacts([
    [words.gain, formatPoints(gain)],
    [words.bound, lower_bound === null ? texts.operator.none : formatPoints(lower_bound)],
    [words.evidence, words.evidenceOf(formatNumber(outcomes), formatNumber(organisations))],
    [words.fairness, describeFairness(texts, formatNumber(groups_compared), groups_compared, regressions)],
    [
      words.decision,
      reasons.length === 0 ? words.allowed : reasons.map((reason) => words.reasons[reason]).join(', '),
    ],
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
