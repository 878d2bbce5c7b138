import * as notifications from '#modules/operations/notifications';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type Visit } from '../serving/page.ts';
import { renderForm } from '../parts/form.ts';

/** What would be too late in a summary. */
const occasional = {
  results_ready: true,
  assessment_unfinished: true,
  credential_offered: true,
  credential_revoked: true,
};
type Occasion = 'immediately' | 'never';
/** What is a summary in any case. */
const summaries = { matches_found: true };
type Summary = 'weekly' | 'never';
const frequencies = ['immediately', 'weekly', 'never'] as const;
type Frequency = (typeof frequencies)[number];

/** What the visitor is emailed about, and when. */
export const notificationsPage: Page = {
  show: async (visit) => {
    const { notifications: texts } = visit.texts;
    const settings = await readSettings(visit);
    const content = html`${renderForm(visit, {
      button: texts.button,
      fields: Object.entries(settings).map(([name, value]) => ({
        name,
        label: texts[name as keyof typeof settings],
        value,
        look: 'radio' as const,
        options: listOptions(texts, name),
      })),
      after: html`<a href="/app/account">${visit.texts.forms.cancel}</a>`,
    })}`;
    return showNarrow(texts, content);
  },
  actions: {
    send: async (visit, fields) => {
      // The operation refuses anything that is not one of its frequencies.
      const { match_proposed, match_accepted, match_declined, feedback_open, data_read } = fields as Readonly<
        Record<string, Frequency>
      >;
      const { results_ready, assessment_unfinished, credential_offered, credential_revoked } =
        fields as Readonly<Record<string, Occasion>>;
      const { matches_found } = fields as Readonly<Record<string, Summary>>;
      if (visit.caller.role === 'member')
        await visit.call(notifications.setMemberSettings, {
          match_proposed: match_proposed!,
          feedback_open: feedback_open!,
          data_read: data_read!,
          results_ready: results_ready!,
          assessment_unfinished: assessment_unfinished!,
          credential_offered: credential_offered!,
          credential_revoked: credential_revoked!,
          matches_found: matches_found!,
        });
      else
        await visit.call(notifications.setUserSettings, {
          match_accepted: match_accepted!,
          match_declined: match_declined!,
          feedback_open: feedback_open!,
        });
      return goTo('/app/account', 'notificationsChanged');
    },
  },
};

/** What happens once has no frequency: it is emailed or not. */
function listOptions(texts: Visit['texts']['notifications'], name: string) {
  if (name in summaries)
    return [
      ['weekly', texts.weekly],
      ['never', texts.never],
    ] as const;
  if (!(name in occasional)) return frequencies.map((each) => [each, texts[each]] as const);
  return [
    ['immediately', texts.occasionally],
    ['never', texts.never],
  ] as const;
}

function readSettings({ call, caller }: Visit) {
  return caller.role === 'member'
    ? call(notifications.readMemberSettings)
    : call(notifications.readUserSettings);
}
