import * as consent from '#modules/people/consent';
import * as traits from '#modules/measurement/traits';
import { Refusal } from '#lib/refusal.ts';
import { renderDocuments } from '../parts/documents.ts';
import { renderForm } from '../parts/form.ts';
import { renderLayeredConsent } from '../parts/consents/layered-consent.ts';
import { html } from '../serving/html.ts';
import { goTo, showNarrow, type Page, type View, type Visit } from '../serving/page.ts';

/**
 * Stores the answers of a first mirror, from the link in the email: in a new account, or in that of the member who is logged in. A button does
 * it, because the answers need a consent, and because programs that check mails open their links.
 */
export const keepMirrorPage: Page = {
  show: async (visit) => {
    const { keepMirror } = visit.texts;
    const { role } = visit.caller;
    if (visit.query['token'] === undefined) return showSentence(visit, keepMirror.missing);
    if (role !== 'anonymous' && role !== 'member') return showSentence(visit, keepMirror.otherRole);
    return showConsent(visit);
  },
  actions: {
    keep: async (visit, { version = '' }) => {
      const token = visit.query['token'] ?? '';
      try {
        // The operation refuses a version that is not published.
        await visit.call(traits.keepMirror, { token, version: version as '1.0' });
        return goTo('/app/assessment', 'mirrorKept');
      } catch (error) {
        if (error instanceof Refusal && error.code === 'email_taken') return showAccountExists(visit);
        throw error;
      }
    },
    add: async (visit, { version }) => {
      const token = visit.query['token'] ?? '';
      try {
        if (version !== undefined)
          await visit.call(consent.recordConsent, {
            consent_type: 'assessment_data',
            granted: true,
            version: version as '1.0',
          });
        await visit.call(traits.addMirror, { token });
        return goTo('/app/assessment', 'mirrorKept');
      } catch (error) {
        if (error instanceof Refusal && error.code === 'assessment_begun')
          return goTo('/app/assessment', 'mirrorNotNeeded');
        throw error;
      }
    },
  },
};

async function showConsent(visit: Visit): Promise<View> {
  const { keepMirror } = visit.texts;
  const isMember = visit.caller.role === 'member';
  const hasAgreed = isMember && (await hasConsented(visit));
  const layers = hasAgreed ? undefined : await renderLayeredConsent(visit, 'assessment_data');
  const content = html`${layers?.content}
  ${renderForm(visit, {
    action: isMember ? 'add' : 'keep',
    button: hasAgreed ? keepMirror.keep : keepMirror.agree,
    hidden: layers ? { version: layers.version } : {},
    before_buttons: !isMember && renderDocuments(visit),
  })}
  ${layers?.full}`;
  return showNarrow(keepMirror, content, { layout: 'open' });
}

async function hasConsented({ call }: Visit): Promise<boolean> {
  const { consents } = await call(consent.readConsent);
  return consents.some((each) => each.consent_type === 'assessment_data' && each.granted);
}

/** Anyone who opens the link has proven that the mailbox is theirs, and may learn that its address has an account. */
function showAccountExists(visit: Visit): View {
  const { keepMirror } = visit.texts;
  const content = html`<p class="buttons">
      <a class="button" href="/sign-in?continue=${encodeURIComponent(visit.address)}">${keepMirror.logIn}</a>
    </p>
    <p><a href="/forgot-password">${visit.texts.signIn.forgot}</a></p>`;
  const head = { title: keepMirror.existsTitle, lead: keepMirror.exists };
  return showNarrow(head, content, { layout: 'open', status: 409 });
}

function showSentence({ texts }: Visit, lead: string): View {
  const content = html`<p><a href="/app">${texts.verifyEmail.next}</a></p>`;
  return showNarrow({ title: texts.keepMirror.title, lead }, content, { layout: 'open' });
}
