import * as traits from '#modules/measurement/traits';
import { Refusal } from '#lib/refusal.ts';
import type { OperationBody } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showNarrow, showView, type Page, type View, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';
import { buildEmailField, nameLanguage } from '../parts/fields.ts';
import { renderFog } from '../parts/fog.ts';

/**
 * The first mirror of a visitor without an account: one statement at a time, and what the answers make clear. Its address carries the answers,
 * encrypted, so that reloading, going back and a second tab show what they showed before, and the service stores nothing.
 */
export const firstMirrorPage: Page = {
  show: async (visit) => {
    if (visit.caller.role !== 'anonymous') return goTo('/app');
    const { mirror, option, language = visit.language } = visit.query;
    try {
      const body = await visit.call(traits.continueMirror, {
        ...(mirror !== undefined && { mirror }),
        ...(option !== undefined && { option: Number(option) }),
        ...(mirror === undefined && language !== undefined && { language: language.slice(0, 35) }),
      });
      // A mirror that has just begun gets an address too, so that reloading does not begin another one.
      if (mirror === undefined || option !== undefined) return goTo(`/first-mirror?mirror=${body.mirror}`);
      return body.next_item === null ? showEnd(visit, body) : showStatement(visit, body, body.next_item);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'mirror_expired') return showExpired(visit);
      throw error;
    }
  },
  actions: {
    keep: async ({ call, query, address }, { email = '' }) => {
      await call(traits.sendMirror, { mirror: query['mirror'] ?? '', email: email.trim() });
      return goTo(address, 'mirrorSent');
    },
  },
};

export type Mirror = OperationBody<typeof traits.continueMirror>;
type Item = NonNullable<Mirror['next_item']>;

function showExpired({ texts }: Visit): View {
  const { firstMirror } = texts;
  const content = html`<p class="buttons">
    <a class="button" href="/first-mirror">${firstMirror.begin}</a>
  </p>`;
  const head = { title: firstMirror.expiredTitle, lead: firstMirror.expired };
  return showNarrow(head, content, { layout: 'open', status: 410 });
}

function showStatement(visit: Visit, mirror: Mirror, item: Item): View {
  const { firstMirror } = visit.texts;
  const { formatNumber } = visit.format;
  const content = html`<div class="statement mirror">
    <div>
      <p class="place quiet">
        ${firstMirror.place(formatNumber(mirror.answered + 1), formatNumber(mirror.most))}
      </p>
      <h1 id="statement" tabindex="-1" lang="${mirror.language}" dir="auto">${item.text}</h1>
    </div>
    ${renderMirrorAnswers(visit, mirror, item)} ${renderPicture(visit, mirror)}
    ${renderMirrorLanguages(visit, mirror)} ${renderPrivacy(visit)}
  </div>`;
  return showView({ title: firstMirror.title, layout: 'focus', content, script: 'mirror.js' });
}

/** Before the first answer, the other languages that the statements have: each begins another mirror. */
export function renderMirrorLanguages(
  { texts }: Visit,
  { answered, language, languages }: Mirror,
): Html | false {
  const others = languages.filter((each) => each !== language);
  if (answered > 0 || others.length === 0) return false;
  return html`<p class="small">
    ${texts.languages.others}
    ${others.map((each) => html`<a href="/first-mirror?language=${each}" lang="${each}">${nameLanguage(each)}</a> `)}
  </p>`;
}

/**
 * Each answer is a button of a form that only reads: its address has the answers so far, and the new one. So it needs neither a cookie nor a script.
 */
export function renderMirrorAnswers({ texts }: Visit, { mirror, language }: Mirror, { options }: Item): Html {
  return html`<form method="get" action="/first-mirror" data-in-place>
    <input type="hidden" name="mirror" value="${mirror}" />
    <fieldset class="answers">
      <legend class="hidden">${texts.assessment.answers}</legend>
      ${options.map(
        (words, index) =>
          html`<button name="option" value="${index}" data-key="${index + 1}">
            <span lang="${language}" dir="auto">${words}</span>
          </button>`,
      )}
    </fieldset>
  </form>`;
}

function renderPicture(visit: Visit, mirror: Mirror): Html {
  const { insight } = mirror;
  return html`<figure class="fog">
    ${renderFog(visit, mirror.traits, insight?.trait_name)}
    ${insight && html`<figcaption role="status">${describeInsight(visit, insight)}</figcaption>`}
  </figure>`;
}

/** What happens to the answers, for visitors who want to know it first. */
export function renderPrivacy({ texts: { firstMirror } }: Visit): Html {
  return html`<details class="small privacy">
    <summary>${firstMirror.privacy}</summary>
    <p>${firstMirror.privacyMore}</p>
  </details>`;
}

/** What answers say to the person who gave them, with or without an account. */
export type DescribedAnswers = Pick<Mirror, 'traits' | 'flags' | 'insight'>;

type Insight = NonNullable<Mirror['insight']>;

/** The clear trait in a sentence. */
export function describeInsight(
  { texts }: Visit,
  { trait_name, word }: Pick<Insight, 'trait_name' | 'word'>,
): string {
  return texts.firstMirror.insight(texts.traits.names[trait_name], texts.traits.words[word]);
}

/** The one thing that is clear, and why; or that nothing is. */
function showEnd(visit: Visit, mirror: Mirror): View {
  const { firstMirror } = visit.texts;
  const { insight } = mirror;
  const content = html`<div class="mirror end">
    <h1 tabindex="-1">${insight ? describeInsight(visit, insight) : firstMirror.nothingClear}</h1>
    <p class="lead">${insight ? explainInsight(visit, mirror, insight) : explainNothing(visit, mirror)}</p>
    <figure class="fog">${renderFog(visit, mirror.traits, insight?.trait_name)}</figure>
    <section class="panel">
      <h2>${firstMirror.keepTitle}</h2>
      ${renderForm(visit, {
        action: 'keep',
        button: firstMirror.keep,
        fields: [{ ...buildEmailField(visit.texts.register.email), hint: firstMirror.keepHint }],
      })}
    </section>
    ${renderPrivacy(visit)}
    <p class="small"><a href="/first-mirror">${firstMirror.again}</a></p>
  </div>`;
  return showView({ title: firstMirror.title, layout: 'focus', content, script: 'mirror.js' });
}

/** Says how many answers the clear trait rests on, and what the careful end of its band means. */
export function explainInsight(
  { texts, format }: Visit,
  { traits: all }: DescribedAnswers,
  insight: Insight,
): string {
  const { firstMirror } = texts;
  const trait = all.find(({ trait_name }) => trait_name === insight.trait_name);
  if (!trait) throw new Error(`no result of ${insight.trait_name}`);
  const { statements, agreeing, word } = insight;
  const [given, alike] = [format.formatNumber(statements), format.formatNumber(agreeing)];
  const answers = agreeing === statements ? firstMirror.allAgree(given) : firstMirror.someAgree(alike, given);
  const cautious = {
    more: format.formatNumber(Math.floor(trait.lower_bound * 100)),
    less: format.formatNumber(Math.floor((1 - trait.upper_bound) * 100)),
  };
  if (word === 'average') return `${answers} ${firstMirror.boundsAverage}`;
  const isMore = word === 'more' || word === 'much_more';
  return `${answers} ${isMore ? firstMirror.boundsMore(cautious.more) : firstMirror.boundsLess(cautious.less)}`;
}

/** What is likely is named as likely. */
function explainNothing({ texts, format }: Visit, { traits: all, answered, flags }: Mirror): string {
  const { firstMirror } = texts;
  if (flags.length > 0) return flags.map((flag) => texts.traits.quality[flag]).join(' ');
  const [likely] = all
    .filter(({ certainty }) => certainty === 'likely')
    .toSorted((one, other) => Math.abs(other.score - 0.5) - Math.abs(one.score - 0.5));
  const open = firstMirror.stillOpen(format.formatNumber(answered));
  if (likely?.word !== 'less' && likely?.word !== 'more') return open;
  const leaning = texts.traits.leaning[likely.word];
  return `${open} ${firstMirror.nearest(texts.traits.names[likely.trait_name], leaning)}`;
}
