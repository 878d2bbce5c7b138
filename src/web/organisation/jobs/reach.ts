import type * as jobs from '#modules/matching/jobs';
import * as matches from '#modules/matching/matches';
import type { OperationInput } from '#platform/operation.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renameRefusedFields } from './read-job-form.ts';

/** Renders how many people meet the conditions of a job, as a band. */
export async function renderReach(
  { call, texts: { jobEditor: texts }, format }: Visit,
  {
    constraints,
    clearance_required,
  }: Pick<Required<OperationInput<typeof jobs.createJob>>, 'constraints' | 'clearance_required'>,
): Promise<Html> {
  const { at_least, less_than } = await renameRefusedFields(() =>
    call(matches.estimateReach, { constraints, clearance_required }),
  );
  return html`<p class="message good" role="status" id="reach">
    ${at_least === null || less_than === null ? texts.reachCounting : describeBand(texts, format.formatNumber, { at_least, less_than })}
  </p>`;
}

type Band = { readonly at_least: number; readonly less_than: number };

function describeBand(
  texts: Visit['texts']['jobEditor'],
  formatNumber: (value: number) => string,
  { at_least, less_than }: Band,
): string {
  if (at_least === 0) return texts.reachFew(formatNumber(less_than));
  return texts.reachBetween(formatNumber(at_least), formatNumber(less_than));
}
