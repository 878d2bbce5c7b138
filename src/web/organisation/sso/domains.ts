import { renderFacts } from '../../parts/facts.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renderForm } from '../../parts/form.ts';
import { isAdmin } from '../admins-only.ts';
import type { Configuration } from './configuration.ts';

/** Renders the domains, each with the TXT record that proves it, until it is verified. */
export function renderDomains(visit: Visit, { domains }: Pick<Configuration, 'domains'>): Html {
  const { sso: texts } = visit.texts;
  return html`<section class="after" aria-labelledby="domains">
    <h2 id="domains">${texts.domains}</h2>
    <p class="quiet">${texts.domainsLead}</p>
    ${visit.form.action === 'verify' && html`<p class="message bad" role="alert">${visit.form.message}</p>`}
    <ul class="list domains">
      ${domains.map((domain) => renderDomain(visit, domain))}
    </ul>
  </section>`;
}

function renderDomain(visit: Visit, domain: Configuration['domains'][number]): Html {
  const { sso: texts } = visit.texts;
  const { domain: name, verified, verified_by, record_name, record_value } = domain;
  return html`<li>
    <strong>${name}</strong>
    <span class="tag ${!verified && 'clay'}">${verified ? texts.verified : texts.notVerified}</span>
    ${verified && verified_by !== null && html`<span class="small quiet">${texts.verifiedBy[verified_by]}</span>`}
    ${
      !verified &&
      html`<div class="record">
        <p class="small">${texts.record}</p>
        ${renderFacts(
          [
            [texts.recordName, html`<code>${record_name}</code>`],
            [texts.recordValue, html`<code>${record_value}</code>`],
          ],
          'facts',
        )}
        ${
          isAdmin(visit) &&
          renderForm(
            { ...visit, form: { ...visit.form, action: '' } },
            {
              action: 'verify',
              button: texts.verify,
              button_label: texts.verifyLabel(name),
              look: 'quiet',
              hidden: { domain: name },
            },
          )
        }
      </div>`
    }
  </li>`;
}
