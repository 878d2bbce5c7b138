import * as impact from '#modules/matching/impact';
import { continuousTraits, type TraitPriorities } from '#modules/measurement/traits';
import type { OperationBody } from '#platform/operation.ts';
import { selectWord } from '../../parts/select-word.ts';
import { renderTable } from '../../parts/table.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { nameGroup } from '../reports/ratio-chart.ts';
import type { Values } from './job-fields.ts';
import { nameSlider, toPlace } from './priorities.ts';
import { proposalMemory } from './proposal-memory.ts';
import { collectAllFaults, type ReadJob } from './read-job-form.ts';

type ImpactPreview = OperationBody<typeof impact.previewImpact>;
type Alternative = ImpactPreview['alternatives'][number];

/** What an editor shows after one of its quiet buttons: the values of its fields, the answer before or after the form or beside its sliders, and what the form remembers. */
export type Shown = {
  readonly values: Values;
  readonly before_form?: Html;
  readonly reach?: Html;
  readonly after_form?: Html;
  readonly hidden: Readonly<Record<string, string>>;
};

/** The form of a job. Buttons after it belong to it, so that the Enter key still presses the first one, which saves. */
export const jobForm = { id: 'job-form', attributes: html`id="job-form"` };

/**
 * Shows what the priorities of a form do to groups, if the visitor asked for it, or takes over an alternative that was offered. The form remembers which priorities were shown, and
 * the proof of it.
 */
export async function showImpact(visit: Visit, fields: Values, read: ReadJob): Promise<Shown | undefined> {
  const distance = fields['choice'];
  if (distance !== 'impact' && distance !== 'near' && distance !== 'farther') return undefined;
  const { trait_priorities } = read.job;
  const preview = await collectAllFaults(read, () => visit.call(impact.previewImpact, { trait_priorities }));
  const taken = preview.alternatives.find((each) => each.distance === distance);
  const { texts } = visit;
  if (!taken)
    return {
      values: fields,
      after_form: renderPreview(visit, preview, trait_priorities),
      hidden: { ...keepShown(fields), ...buildMemory({ trait_priorities, choice: preview.choice }) },
    };
  const sliders = continuousTraits.map(
    (code) => [nameSlider(code), String(toPlace(taken.trait_priorities[code] ?? 0))] as const,
  );
  return {
    values: { ...fields, ...Object.fromEntries(sliders) },
    after_form: html`<section class="panel after" id="impact" aria-labelledby="impact-title">
      <h2 id="impact-title">${texts.jobEditor.impact}</h2>
      <p class="message good" role="status">${texts.jobEditor.alternativeTaken}</p>
      ${renderGroups(visit, taken.impact)}
    </section>`,
    hidden: { ...keepShown(fields), ...buildMemory(taken) },
  };
}

const [shown_priorities, shown_choice] = ['shown_priorities', 'shown_choice'];

function buildMemory({ trait_priorities, choice }: Pick<Alternative, 'trait_priorities' | 'choice'>) {
  return { [shown_priorities]: JSON.stringify(trait_priorities), [shown_choice]: choice };
}

/** Picks what a form remembers, for when it is shown again. */
export function keepShown(fields: Values): Readonly<Record<string, string>> {
  const kept = [shown_priorities, shown_choice, ...proposalMemory].map(
    (name) => [name, fields[name] ?? ''] as const,
  );
  return Object.fromEntries(kept.filter(([, value]) => value !== ''));
}

/** Finds the priorities that a form has shown with their impact, and the proof, if its sliders still stand where they stood then. */
export function readShown(
  fields: Values,
): { readonly trait_priorities: TraitPriorities; readonly priorities_choice: string } | undefined {
  const [text, priorities_choice] = [fields[shown_priorities], fields[shown_choice]];
  if (text === undefined || priorities_choice === undefined) return undefined;
  const trait_priorities = parsePriorities(text);
  const stands = continuousTraits.every(
    (code) => Number(fields[nameSlider(code)] ?? 0) === toPlace(trait_priorities[code] ?? 0),
  );
  return stands ? { trait_priorities, priorities_choice } : undefined;
}

/** Parses what {@link buildMemory} wrote. The operation refuses anything else. */
function parsePriorities(text: string): TraitPriorities {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function renderPreview(visit: Visit, preview: ImpactPreview, before: TraitPriorities): Html {
  const { jobEditor: texts } = visit.texts;
  return html`<section class="panel after" id="impact" aria-labelledby="impact-title">
    <h2 id="impact-title">${texts.impact}</h2>
    ${
      preview.too_few !== null
        ? html`<p role="status">${texts.impactTooFew}</p>`
        : html`<p class="quiet">${texts.impactLead}</p>
            ${renderGroups(visit, preview.impact)}
            <p class="quiet small">
              ${preview.impact.map(({ measured_on }) => texts.measuredOn(visit.format.formatDate(measured_on))).at(-1)}
            </p>
            ${preview.alternatives.map((each) => renderAlternative(visit, each, before))}
            ${preview.alternatives.length === 0 && html`<p>${texts.noAlternative}</p>`}`
    }
  </section>`;
}

function renderAlternative(visit: Visit, alternative: Alternative, before: TraitPriorities): Html {
  const { jobEditor: texts, traits } = visit.texts;
  const words = Object.values(texts.importance);
  const { distance, trait_priorities, correlation } = alternative;
  const changes = continuousTraits.filter((code) => (trait_priorities[code] ?? 0) !== (before[code] ?? 0));
  const name = (priority = 0) => `${visit.format.formatPercent(priority)}, ${selectWord(words, priority)}`;
  return html`<h3>${texts.alternatives[distance]}</h3>
    <p class="quiet">${texts.alternativeLead(visit.format.formatNumber(correlation))}</p>
    ${renderTable(
      texts.alternatives[distance],
      texts.changeColumns,
      changes.map((code) => [traits.names[code], name(before[code]), name(trait_priorities[code])]),
    )}
    ${renderGroups(visit, alternative.impact)}
    <p>
      <button
        class="button quiet"
        form="${jobForm.id}"
        formaction="${visit.address}#impact"
        name="choice"
        value="${distance}"
      >
        ${texts.takeAlternative[distance]}
      </button>
    </p>`;
}

/** Renders the rates of the groups of each attribute. */
function renderGroups({ texts, format }: Visit, attributes: ImpactPreview['impact']): readonly Html[] {
  const { reports, jobEditor } = texts;
  return attributes.map(({ attribute, groups }) => {
    const title = reports.attributes[attribute];
    return html`<h4>${title}</h4>
      ${renderTable(
        title,
        jobEditor.impactColumns,
        groups.map((row) => [
          nameGroup({ texts }, row.group),
          format.formatPercent(row.rate),
          format.formatPercent(row.impact_ratio),
          row.ratio_from === null || row.ratio_to === null
            ? reports.none
            : jobEditor.interval(format.formatPercent(row.ratio_from), format.formatPercent(row.ratio_to)),
          row.flag === null
            ? reports.highest
            : `${reports.findings[row.flag]}${row.below_four_fifths ? `. ${reports.findings.ratio_only}` : ''}`,
        ]),
      )} `;
  });
}
