import { renderFacts } from '../parts/facts.ts';
import { html } from '../serving/html.ts';
import { locales, readLook, themes } from '../serving/look.ts';
import { goTo, showNarrow, type Page, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

const path = '/app/account/appearance';

/** The theme, and how dates, numbers and money are written. Both belong to the browser, and not to the account. */
export const appearancePage: Page = {
  show: (visit) => {
    const { appearance } = visit.texts;
    const { theme, locale } = visit.look;
    const content = html`${renderForm(visit, {
        button: appearance.button,
        fields: [
          {
            name: 'theme',
            label: appearance.theme,
            value: theme,
            look: 'radio',
            options: themes.map((each) => [each, appearance.themes[each]] as const),
          },
          {
            name: 'locale',
            label: appearance.formats,
            hint: appearance.formatsHint,
            value: locale,
            options: [
              ['auto', appearance.auto],
              ...locales.map((each) => [each, visit.format.formatCountry(each.slice(3))] as const),
            ],
          },
        ],
        after: html`<a href="/app/account">${visit.texts.forms.cancel}</a>`,
      })}
      <h2>${appearance.example}</h2>
      ${renderExample(visit)}
      <h2>${appearance.language}</h2>
      <p>${appearance.languageText}</p>`;
    return showNarrow(appearance, content);
  },
  actions: {
    send: (_visit, { theme, locale }) => ({
      ...goTo(path, 'appearanceSaved'),
      look: readLook(theme, locale),
    }),
  },
};

function renderExample({ texts: { appearance }, format, now }: Visit) {
  const { formatTime, formatNumber, formatMoney } = format;
  return renderFacts(
    [
      [appearance.exampleTime, formatTime(now.toISOString())],
      [appearance.exampleNumber, formatNumber(1_234_567.8)],
      [appearance.exampleMoney, formatMoney(92_000, 'AUD')],
    ],
    'facts',
  );
}
