import * as orgs from '#modules/organisations/orgs';
import * as operator from '#modules/operations/operator';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, sendForm, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { renderTicks, renderDisclosure } from '../parts/disclosure.ts';
import { renderFacts } from '../parts/facts.ts';
import { renderForm } from '../parts/form.ts';
import { renderAccounts } from './render-accounts.ts';

const users_max = 10;

/** One organisation: its profile, its tier, its email domains and its users. */
export const organisationPage: Page = {
  show: async (visit) => {
    const { operatorOrganisation: words } = visit.texts;
    const org_id = visit.params['org_id'] ?? '';
    const organisation = await visit.call(operator.inspectOrganisation, { org_id });
    const users = await visit.call(operator.searchUsers, { org_id, limit: users_max });
    const content = html`<div class="sides">
      <div>
        ${renderUsers(visit, org_id, users)}
        <section class="group">
          <h2>${words.domains}</h2>
          ${renderDomains(visit, organisation)}
        </section>
      </div>
      <aside>
        <h2>${words.facts}</h2>
        ${renderProfile(visit, organisation)}
        <section>
          <h2>${words.tier}</h2>
          <p class="quiet">${words.tierText}</p>
          ${renderForm(visit, {
            action: 'tier',
            button: words.tierButton,
            look: 'quiet',
            fields: [
              {
                name: 'tier',
                label: words.tier,
                value: organisation.tier,
                options: orgs.organisationTiers.map((tier) => [tier, tier] as const),
              },
            ],
          })}
        </section>
        <section>
          <h2>${words.acts}</h2>
          ${renderActs(visit, organisation)}
        </section>
      </aside>
    </div>`;
    return showHeaded({ title: organisation.name }, content, {
      back: ['/app/operator/organisations', words.back],
      below: html`<p>
        <span class="tag plain">${organisation.tier}</span>
        ${organisation.suspended_at !== null && html`<span class="tag clay">${words.suspended}</span>`}
      </p>`,
    });
  },
  actions: {
    tier: async ({ call, params }, { tier = '' }) => {
      // The operation checks the tier.
      const input = { org_id: params['org_id'] ?? '', tier } as OperationInput<typeof operator.assignTier>;
      const { id } = await call(operator.assignTier, input);
      return goTo(`/app/operator/organisations/${id}`, 'tierSet');
    },
    suspend: sendForm(
      operator.suspendOrganisation,
      '/app/operator/organisations/{org_id}',
      'organisationSuspended',
    ),
    resume: sendForm(
      operator.resumeOrganisation,
      '/app/operator/organisations/{org_id}',
      'organisationResumed',
    ),
    verify: sendForm(operator.attestDomain, '/app/operator/organisations/{org_id}', 'domainAttested'),
  },
};

type Organisation = OperationBody<typeof operator.inspectOrganisation>;

function renderProfile({ texts, format }: Visit, organisation: Organisation): Html {
  const { operatorOrganisation: words } = texts;
  const {
    industry,
    size,
    headquarters_country: country,
    website,
    created_at,
    suspended_at,
    id,
  } = organisation;
  return renderFacts([
    [words.industry, industry],
    [words.size, size && words.sizes[size]],
    [words.country, country && format.formatCountry(country)],
    // Not a link: what an organisation enters must not be one click away from the operator's session.
    [words.website, website],
    [words.created, format.formatDate(created_at)],
    [words.suspendedSince, suspended_at && format.formatTime(suspended_at)],
    [words.id, html`<code>${id}</code>`],
  ]);
}

function renderActs(visit: Visit, { suspended_at }: Organisation): Html {
  const { operatorOrganisation: words } = visit.texts;
  if (suspended_at !== null)
    return html`<p>${words.resumeText}</p>
      ${renderForm(visit, { action: 'resume', button: words.resume })}`;
  const content = html`${renderTicks(words.suspendConsequences)}
  ${renderForm(visit, { action: 'suspend', button: words.suspendButton, look: 'danger' })}`;
  return renderDisclosure(words.suspend, content, visit.form.action === 'suspend');
}

function renderDomains(visit: Visit, { domains }: Organisation): Html {
  const { operatorOrganisation: words } = visit.texts;
  return html`<p class="quiet">${words.domainsText}</p>
    ${domains.length > 0 && renderClaims(visit, domains)}
    ${renderForm(visit, {
      action: 'verify',
      button: words.verify,
      look: 'quiet',
      fields: [{ name: 'domain', label: words.addDomain, maxlength: 253 }],
    })}`;
}

function renderClaims(visit: Visit, domains: Organisation['domains']): Html {
  const { operatorOrganisation: words } = visit.texts;
  return html`<ul class="list">
    ${domains.map(
      ({ domain, verified_at, verified_by }) =>
        html`<li>
          <span
            ><strong>${domain}</strong>
            <span class="quiet small"
              >${verified_at === null || verified_by === null ? words.unverified : `${words.verifiedBy[verified_by]} ${words.since(visit.format.formatDate(verified_at))}`}</span
            ></span
          >
          ${
            verified_at === null &&
            renderForm(visit, {
              action: 'verify',
              button: words.verify,
              button_label: words.verifyDomain(domain),
              look: 'quiet',
              hidden: { domain },
            })
          }
        </li>`,
    )}
  </ul>`;
}

function renderUsers(
  visit: Visit,
  org_id: string,
  { data, pagination }: OperationBody<typeof operator.searchUsers>,
): Html {
  const { operatorOrganisation: words } = visit.texts;
  return html`<section>
    <h2>${words.users}</h2>
    ${data.length === 0 ? html`<p class="quiet">${words.noUsers}</p>` : renderAccounts(visit, data, { with_organisation: false })}
    ${pagination.has_more && html`<p class="after"><a href="/app/operator/users?org=${org_id}">${words.allUsers}</a></p>`}
  </section>`;
}
