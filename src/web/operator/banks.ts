import * as matches from '#modules/matching/matches';
import * as traits from '#modules/measurement/traits';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { nameLanguage } from '../parts/fields.ts';
import { renderForm } from '../parts/form.ts';
import { buildAddress } from '../parts/next-page.ts';
import { html, type Html } from '../serving/html.ts';
import { sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderStatement } from './bank-statement.ts';

const at = '/app/operator/banks';

/** The banks of statements, each with the versions of its parameters. */
export const banksPage: Page = {
  show: async (visit) => {
    const { operatorBanks: words } = visit.texts;
    const { banks, in_use } = await visit.call(traits.listBanks);
    const content = banks.map(
      ({ bank, versions }) =>
        html`<section class="group">
          <h2>${bank === ownBank ? words.own : bank}</h2>
          ${
            versions.length === 0
              ? html`<p class="quiet">${words.noVersions}</p>`
              : html`<ul class="list versions">
                  ${versions.map((version) => renderVersion(visit, bank, version, in_use))}
                </ul>`
          }
        </section>`,
    );
    return showHeaded(words, html`${content}`);
  },
};

const ownBank = 'tessera';

type Version = OperationBody<typeof traits.listBanks>['banks'][number]['versions'][number];

function renderVersion(
  { texts, format }: Visit,
  bank: string,
  { version, provisional, respondents, created_at }: Version,
  in_use: string,
): Html {
  const { operatorBanks: words } = texts;
  const origin = created_at === null ? words.builtIn : describeOrigin(format.formatDate(created_at));
  return html`<li>
    <span
      ><a href="${buildVersionAddress(bank, version)}"><strong>${version}</strong></a>
      <span class="quiet small">${origin}</span></span
    >
    <span>
      ${version === in_use && html`<span class="tag">${words.inUse}</span>`}
      <span class="tag ${provisional ? 'clay' : 'plain'}"
        >${provisional ? words.provisional : words.calibrated}</span
      >
    </span>
  </li>`;

  function describeOrigin(date: string): string {
    return respondents === 0 ? words.unanswered(date) : words.origin(format.formatNumber(respondents), date);
  }
}

function buildVersionAddress(bank: string, version: string): string {
  return `${at}/${encodeURIComponent(bank)}/${encodeURIComponent(version)}`;
}

/** A version of a bank: its scales, the statements of one of them with their curves, what it would change, and the button that uses it. */
export const bankVersionPage: Page = {
  show: async (visit) => {
    const { operatorBanks: words } = visit.texts;
    const { bank = '', version = '' } = visit.params;
    const read = await visit.call(traits.readBankVersion, {
      bank,
      version,
      ...(visit.query['scale'] && { scale: visit.query['scale'] }),
    });
    const preview =
      visit.query['preview'] === 'yes' ? await readPreview(visit, { bank, version }) : undefined;
    const content = html`${renderOverview(visit, read)}
      ${!read.in_use && html`${renderChanges(visit, read, preview)} ${renderUse(visit, read)}`}
      ${renderScales(visit, read)}
      <section class="group reading">
        <h2 id="statements">${nameScale(visit, read.scale)}</h2>
        <p class="quiet">${words.curves}</p>
        ${read.statements.map((statement) => renderStatement(visit, statement))}
      </section>`;
    return showHeaded({ title: version }, content, { back: [at, words.back] });
  },
  actions: {
    use: sendForm(traits.useBankVersion, at, 'calibrationActivated'),
  },
};

type Read = OperationBody<typeof traits.readBankVersion>;
type Preview = OperationBody<typeof matches.previewVersion>;

/** Reads what a version would change, or why that cannot be said. */
async function readPreview(
  visit: Visit,
  named: { readonly bank: string; readonly version: string },
): Promise<Preview | string> {
  try {
    return await visit.call(matches.previewVersion, named);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'version_not_usable') return error.message;
    throw error;
  }
}

function renderOverview({ texts, format }: Visit, read: Read): Html {
  const { operatorBanks: words } = texts;
  const { bank, in_use, provisional, respondents, languages, scales } = read;
  const flagged = scales.reduce((sum, scale) => sum + scale.flagged, 0);
  return html`<section class="panel">
    ${renderFacts([
      [words.bank, bank === ownBank ? words.own : bank],
      [words.state, in_use ? words.inUse : words.notInUse],
      [words.parameters, provisional ? words.provisional : words.calibrated],
      [words.respondents, format.formatNumber(respondents)],
      [words.languages, languages.length > 0 ? languages.map(nameLanguage).join(', ') : words.noLanguage],
      [words.flagged, format.formatNumber(flagged)],
    ])}
    <p><a href="/app/operator/findings">${words.review}</a></p>
  </section>`;
}

function renderChanges(
  visit: Visit,
  { bank, version, scale }: Read,
  preview: Preview | string | undefined,
): Html {
  const { operatorBanks: words } = visit.texts;
  if (preview === undefined) {
    const address = buildAddress(buildVersionAddress(bank, version), { scale, preview: 'yes' });
    return html`<p><a class="button quiet" href="${address}">${words.preview}</a></p>`;
  }
  if (typeof preview === 'string')
    return html`<p class="message" role="status">${words.noPreview} ${preview}</p>`;
  const { members, left_out, words: changes, tiers } = preview;
  const { formatNumber } = visit.format;
  return html`<section class="panel" role="status">
    <h2>${words.changes}</h2>
    <p>${words.measured(formatNumber(members), formatNumber(left_out))}</p>
    ${renderFacts([
      [words.tiersMoved, words.moved(formatNumber(tiers.better), formatNumber(tiers.worse))],
      [words.tiersKept, formatNumber(tiers.kept)],
      [words.jobs, formatNumber(tiers.jobs)],
      [words.wordsKept, formatNumber(changes.kept)],
      [words.wordsChanged, formatNumber(changes.changed)],
      [words.wordsTurned, formatNumber(changes.turned)],
      [words.wordsAppeared, formatNumber(changes.appeared)],
      [words.wordsDisappeared, formatNumber(changes.disappeared)],
    ])}
  </section>`;
}

function renderUse(visit: Visit, { version }: Read): Html {
  const { operatorBanks: words } = visit.texts;
  return renderDisclosure(
    words.use,
    html`${renderTicks(words.useText)}
    ${renderForm(visit, { action: 'use', button: words.use, button_label: words.useVersion(version) })}`,
    visit.form.action === 'use',
  );
}

function renderScales(visit: Visit, { bank, version, scales, scale: shown }: Read): Html {
  const { operatorBanks: words } = visit.texts;
  const { formatNumber } = visit.format;
  return html`<section class="group">
    <h2>${words.scales}</h2>
    <ul class="list">
      ${scales.map(({ scale, trait, statements, flagged }) => {
        const address = buildAddress(buildVersionAddress(bank, version), { scale });
        return html`<li>
          <a href="${address}#statements" ${scale === shown && html`aria-current="true"`}
            ><strong>${nameScale(visit, scale)}</strong></a
          >
          <span class="quiet small"
            >${words.statements(formatNumber(statements))}${trait === null ? `, ${words.noTrait}` : trait !== scale && `, ${words.measures(nameScale(visit, trait))}`}</span
          >
          ${flagged > 0 && html`<span class="tag clay">${words.flaggedCount(formatNumber(flagged))}</span>`}
        </li>`;
      })}
    </ul>
  </section>`;
}

/** Scales of our own bank are traits, which have names. */
function nameScale({ texts }: Visit, scale: string): string {
  const names: Readonly<Record<string, string>> = texts.traits.names;
  return Object.hasOwn(names, scale) ? names[scale]! : scale;
}
