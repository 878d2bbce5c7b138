import type * as jobs from '#modules/matching/jobs';
import type { OperationBody } from '#platform/operation.ts';
import { formatPlace } from '../../parts/countries.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTable } from '../../parts/table.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { formatSalary } from '../shortlist/job-facts.ts';
import { fillForm, type Draft } from './proposal.ts';

type KnownJob = NonNullable<Draft['job']>;
type Compared = KnownJob['posted'];

/** Renders the drafts of an import: each can be looked at in the form of a job, and for one that is known there is what has changed. */
export function renderDrafts(
  visit: Visit,
  { drafts, left_out }: OperationBody<typeof jobs.importJobs>,
): Html {
  const { jobImport: texts } = visit.texts;
  return html`<section aria-labelledby="found">
    <h2 id="found" role="status">${texts.found}</h2>
    ${drafts.length === 0 && html`<p>${texts.none}</p>`} ${drafts.map((draft) => renderDraft(visit, draft))}
    ${left_out > 0 && html`<p class="quiet">${texts.leftOut(visit.format.formatNumber(left_out))}</p>`}
  </section>`;
}

/** Renders a draft in its panel. `after` follows what the draft says. */
export function renderDraft(visit: Visit, draft: Draft, after?: Html): Html {
  const { jobImport: texts } = visit.texts;
  const title = draft.title ?? texts.untitled;
  return html`<article class="panel">
    <h3>${title}</h3>
    ${draft.job ? renderKnown(visit, draft.job) : renderNew(visit, draft, title)} ${after}
  </article>`;
}

function renderNew(visit: Visit, draft: Draft, title: string): Html {
  const { jobImport: texts, traits } = visit.texts;
  const { values, hidden } = fillForm(visit, draft);
  const filled = Object.entries({ ...values, ...hidden }).filter(
    ([, value]) => value !== '' && value !== '0',
  );
  const names = draft.reasons.map(({ trait_name }) => traits.names[trait_name]);
  const sentence = {
    proposed: texts.proposed(visit.format.formatList(names)),
    nothing_found: texts.nothingFound,
    not_english: texts.notEnglish,
  }[draft.finding];
  return html`<p>${sentence}</p>
    ${renderForm(visit, {
      action: 'fill',
      to: '/app/jobs/new',
      button: texts.use,
      button_label: texts.useLabel(title),
      look: 'quiet',
      hidden: Object.fromEntries(filled),
    })}`;
}

function renderKnown(visit: Visit, { id, title, current, posted }: KnownJob): Html {
  const { jobImport: texts } = visit.texts;
  const rows = listRows(visit, current, posted);
  const known = html`<a href="/app/jobs/${id}">${texts.known}</a>`;
  if (rows.length === 0) return html`<p>${known} ${texts.unchanged}</p>`;
  return html`<p>${known} ${texts.changed}</p>
    ${renderTable(texts.changed, [texts.column, texts.current, texts.posted], rows)}
    ${renderAcceptance(visit, { job_id: id, posted: JSON.stringify(posted), title })}`;
}

/** Renders the button that takes over a change of a job. */
export function renderAcceptance(
  visit: Visit,
  { job_id, posted, title }: { readonly job_id: string; readonly posted: string; readonly title?: string },
): Html {
  const { jobImport: texts } = visit.texts;
  return renderForm(visit, {
    action: 'accept',
    button: texts.accept,
    ...(title !== undefined && { button_label: texts.acceptLabel(title) }),
    hidden: { job_id, posted },
    before_buttons: html`<p class="quiet small">${texts.acceptHint}</p>`,
  });
}

type Row = readonly [what: string, current: Html, posted: Html];

function listRows(visit: Visit, current: Compared, posted: Compared): readonly Row[] {
  const { jobEditor, jobFacts, jobImport, match } = visit.texts;
  const kinds: readonly (readonly [label: string, format: (fields: Compared) => string | undefined])[] = [
    [jobEditor.jobTitle, ({ title }) => title],
    [jobImport.text, ({ outcome_description }) => outcome_description],
    [jobFacts.work, ({ remote_policy }) => remote_policy && match.remote[remote_policy]],
    [jobImport.conditions, ({ constraints }) => constraints && describeConditions(visit, constraints)],
    [jobFacts.salary, (fields) => describeSalary(visit, fields)],
  ];
  return kinds.flatMap(([label, format]) => {
    const after = format(posted);
    return after === undefined ? [] : [[label, renderLines(format(current) ?? ''), renderLines(after)]];
  });
}

function describeConditions(visit: Visit, constraints: NonNullable<Compared['constraints']>): string {
  const { jobImport, memberHome, match } = visit.texts;
  const { location_countries = [], location_states = [], years_experience_min: years } = constraints;
  const { education_level_min: education } = constraints;
  const parts = [
    formatPlace(visit, location_countries, location_states) ?? match.anywhere,
    years === undefined ? undefined : jobImport.years(visit.format.formatNumber(years)),
    education && memberHome.educationLevels[education],
  ];
  return parts.filter((part) => part !== undefined).join('\n');
}

function describeSalary(
  visit: Visit,
  { salary_min = null, salary_max = null, salary_currency }: Compared,
): string | undefined {
  if (salary_currency === undefined) return undefined;
  return formatSalary(visit, { salary_min, salary_max, salary_currency });
}

function renderLines(text: string): Html {
  return html`${text.split('\n').map((line) => html`${line}<br />`)}`;
}
