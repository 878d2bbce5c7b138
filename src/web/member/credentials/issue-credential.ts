import * as accounts from '#modules/access/accounts';
import * as credentials from '#modules/credentials/credentials';
import * as members from '#modules/people/members';
import { createFieldRefusal } from '#lib/refusal.ts';
import { renderForm } from '../../parts/form.ts';
import { renderTicks } from '../../parts/disclosure.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showView, type Page, type Visit } from '../../serving/page.ts';
import { listCredentialChoices } from './credential-choices.ts';

const default_expiry_days = 365;

/** Issues a credential in which the member states their own results. */
export const issueCredentialPage: Page = {
  show: async (visit) => {
    const { issueCredential: texts, credential } = visit.texts;
    const content = html`<p class="back"><a href="/app/credentials">${credential.back}</a></p>
      <div class="sides">
        <div>
          <header class="head">
            <h1>${texts.title}</h1>
            <p class="lead">${texts.lead}</p>
          </header>
          ${(await renderObstacle(visit)) ?? (await renderIssuing(visit))}
        </div>
        <aside>
          <h2>${texts.othersTitle}</h2>
          ${renderTicks(Object.values(texts.others))}
        </aside>
      </div>`;
    return showView({ title: texts.title, layout: 'app', content });
  },
  actions: {
    send: async (visit, { content, expiry_days = '' }) => {
      const { choices } = await listCredentialChoices(visit);
      const chosen = choices.find(({ value }) => value === content);
      if (!chosen) throw createFieldRefusal('field_invalid', '/content', 'must be one of the choices');
      const { id } = await visit.call(credentials.issueCredential, {
        ...chosen.draft,
        attestation_tier: 'self_attested',
        expiry_days: Number(expiry_days),
      });
      return goTo(`/app/credentials/${id}`, 'credentialIssued');
    },
  },
};

/** What has to be done before the first credential, if anything. */
async function renderObstacle(visit: Visit): Promise<Html | undefined> {
  const [me, member] = await Promise.all([visit.call(accounts.readMe), visit.call(members.readMember)]);
  const { issueCredential: texts } = visit.texts;
  if (!me.email_verified) return renderStep(texts.unverified, '/app', texts.toHome);
  if (member.assessment_phase !== 'complete')
    return renderStep(texts.unmeasured, '/app/assessment', texts.toAssessment);
  return undefined;
}

function renderStep(sentence: string, link: string, words: string): Html {
  return html`<p>${sentence}</p>
    <p class="buttons"><a class="button" href="${link}">${words}</a></p>`;
}

async function renderIssuing(visit: Visit): Promise<Html> {
  const { issueCredential: texts } = visit.texts;
  const { choices, uncertain } = await listCredentialChoices(visit);
  const wayOut = uncertain && renderWayOut(visit, uncertain.preliminary);
  if (choices.length === 0)
    return html`<p>${texts.nothing}</p>
      ${wayOut}`;
  return html`${wayOut}
    <p class="terms">${texts.self}</p>
    ${renderForm(visit, {
      button: texts.button,
      fields: [
        {
          name: 'content',
          label: texts.content,
          look: 'radio',
          value: choices[0]?.value,
          options: choices.map(({ value, label }) => [value, label] as const),
        },
        {
          name: 'expiry_days',
          label: texts.expiry,
          value: default_expiry_days,
          options: Object.entries(texts.expiries),
        },
      ],
    })}`;
}

/** Why the archetype cannot be signed, and what would change it. */
function renderWayOut({ texts: { issueCredential: texts } }: Visit, preliminary: boolean): Html {
  return html`<p class="message">
    ${texts.uncertain} ${preliminary ? html`<a href="/app/assessment">${texts.deepen}</a>` : texts.retake}
  </p>`;
}
