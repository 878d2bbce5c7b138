import * as culture from '#modules/organisations/culture';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { Refusal } from '#lib/refusal.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showNarrow, type Page, type Visit } from '../../serving/page.ts';
import { renderForm, type Field } from '../../parts/form.ts';
import { isAdmin, showAdminsOnly } from '../admins-only.ts';

type Terms = OperationBody<typeof culture.readDeclaration>;
type Declaration = OperationInput<typeof culture.declareProfile>;

/** Fewer than five people agree on what their culture is like, and one of them publishes it. */
export const declarationPage: Page = {
  show: async (visit) => {
    const { declaration: texts } = visit.texts;
    if (!isAdmin(visit)) return showAdminsOnly(visit, texts.title);
    const terms = await visit.call(culture.readDeclaration);
    const back = ['/app/culture', visit.texts.questionnaire.back] as const;
    return showNarrow(
      texts,
      terms.refused === null ? renderDeclaration(visit) : renderRefused(visit, terms),
      {
        back,
      },
    );
  },
  actions: {
    send: async (visit, fields) => {
      await visit.call(culture.declareProfile, readDeclaration(visit, fields));
      return goTo('/app/culture', 'cultureDeclared');
    },
  },
};

function renderRefused({ texts: { declaration }, format }: Visit, { refused, possible_from }: Terms): Html {
  return html`<p class="message">
    ${possible_from === null ? declaration.refused[refused!] : declaration.from(format.formatDate(possible_from))}
  </p>`;
}

function renderDeclaration(visit: Visit): Html {
  const { culture: words, declaration: texts } = visit.texts;
  const dimensions = Object.keys(words.dimensions) as (keyof typeof words.dimensions)[];
  const quadrants = Object.keys(words.quadrants) as (keyof typeof words.quadrants)[];
  const trust = dimensions.map((name): Field => ({
    name,
    label: words.meanings[name],
    options: [['', texts.choose], ...texts.steps.map((step, option) => [String(option), step] as const)],
    may_be_empty: true,
  }));
  const places = quadrants.map((_, place): Field => ({
    name: namePlace(place),
    label: texts.places[place]!,
    options: [['', texts.choose], ...quadrants.map((name) => [name, words.quadrantMeanings[name]] as const)],
    may_be_empty: true,
  }));
  return html`<ul class="plain">
      ${texts.meaning.map((each) => html`<li>${each}</li>`)}
    </ul>
    ${renderForm(visit, {
      button: texts.button,
      groups: [
        { legend: words.trust, hint: texts.trustLead, fields: trust },
        { legend: words.values, hint: texts.valuesLead, fields: places },
      ],
    })}`;
}

function namePlace(place: number): string {
  return `place_${place + 1}`;
}

/** Reads the form. @throws Refusal that names each field without an answer, and each value that has two places. */
function readDeclaration({ texts }: Visit, fields: Readonly<Record<string, string>>): Declaration {
  const { culture: words, declaration, questionnaire } = texts;
  const order = Object.keys(words.quadrants).map((_, place) => fields[namePlace(place)] ?? '');
  const missing = Object.keys(words.dimensions).filter((name) => !/^[0-4]$/.test(fields[name] ?? ''));
  const repeated = order.flatMap((name, place) =>
    !Object.hasOwn(words.quadrants, name) || order.indexOf(name) !== place ? [namePlace(place)] : [],
  );
  if (missing.length + repeated.length > 0)
    throw new Refusal('field_invalid', {
      errors: [
        ...missing.map((name) => ({ pointer: `/${name}`, reason: questionnaire.incomplete })),
        ...repeated.map((name) => ({ pointer: `/${name}`, reason: declaration.repeated })),
      ],
    });
  const braving = Object.fromEntries(
    Object.keys(words.dimensions).map((name) => [name, Number(fields[name])]),
  );
  return { braving: braving as Declaration['braving'], cvf: order as unknown as Declaration['cvf'] };
}
