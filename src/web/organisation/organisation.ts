import * as jobs from '#modules/matching/jobs';
import * as orgs from '#modules/organisations/orgs';
import type { OperationBody, OperationInput } from '#platform/operation.ts';
import { renderFacts } from '../parts/facts.ts';
import { html, type Html } from '../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../serving/page.ts';
import { buildCountryField, readCountry } from '../parts/countries.ts';
import { identifyVersion, renderForm } from '../parts/form.ts';
import { isAdmin } from './admins-only.ts';

type Organisation = OperationBody<typeof orgs.readOrganisation>;
type Limits = OperationBody<typeof jobs.readLimits>;
type Profile = OperationInput<typeof orgs.updateOrganisation>;

/** The profile of the organisation, its tier, and what the tier allows. */
export const organisationPage: Page = {
  show: async (visit) => {
    const { organisation: texts } = visit.texts;
    const [organisation, limits] = await Promise.all([
      visit.call(orgs.readOrganisation),
      visit.call(jobs.readLimits),
    ]);
    const content = html`<div class="sides">
      <section>
        <h2>${texts.profile}</h2>
        ${isAdmin(visit) ? renderProfileForm(visit, organisation) : renderProfile(visit, organisation)}
      </section>
      <aside>${renderTier(visit, organisation, limits)} ${renderLinks(visit)}</aside>
    </div>`;
    return showHeaded({ title: texts.title, heading: organisation.name, lead: texts.lead }, content);
  },
  actions: {
    send: async (visit, fields) => {
      await visit.call(orgs.updateOrganisation, readProfile(visit, fields));
      return goTo('/app/organisation', 'organisationSaved');
    },
  },
};

/** Reads the form: an empty field is one that the organisation clears. The operation refuses wrong values. */
function readProfile(visit: Visit, fields: Readonly<Record<string, string>>): Profile {
  const read = (name: string) => fields[name]?.trim() || null;
  const country = read('headquarters_country');
  return {
    name: fields['name']?.trim() ?? '',
    industry: read('industry'),
    size: read('size') as Organisation['size'],
    headquarters_country: country && readCountry(visit, 'headquarters_country', country),
    website: read('website'),
  };
}

function renderProfileForm(visit: Visit, organisation: Organisation): Html {
  const { organisation: texts, memberHome } = visit.texts;
  const choose = ['', memberHome.choose] as const;
  return renderForm(visit, {
    button: texts.save,
    seen: identifyVersion(organisation),
    fields: [
      {
        name: 'name',
        label: texts.name,
        value: organisation.name,
        maxlength: 200,
        autocomplete: 'organization',
      },
      {
        name: 'industry',
        label: texts.industry,
        value: organisation.industry,
        maxlength: 100,
        optional: true,
      },
      {
        name: 'size',
        label: texts.size,
        value: organisation.size,
        optional: true,
        options: [choose, ...Object.entries(texts.sizes)],
      },
      buildCountryField(visit, {
        name: 'headquarters_country',
        label: texts.country,
        value: organisation.headquarters_country,
        optional: true,
      }),
      {
        name: 'website',
        label: texts.website,
        hint: texts.websiteHint,
        value: organisation.website,
        maxlength: 300,
        optional: true,
      },
    ],
  });
}

function renderProfile({ texts: { organisation: texts }, format }: Visit, organisation: Organisation): Html {
  const { name, industry, size, headquarters_country, website } = organisation;
  const facts = [
    [texts.name, name],
    [texts.industry, industry],
    [texts.size, size && texts.sizes[size]],
    [texts.country, headquarters_country && format.formatCountry(headquarters_country)],
    [texts.website, website],
  ] as const;
  return renderFacts(
    facts.map(([label, value]) => [label, value ?? texts.unset]),
    'facts',
  );
}

function renderTier(
  { texts: { organisation: texts }, format }: Visit,
  { tier }: Organisation,
  limits: Limits,
): Html {
  const { active_jobs, daily_changes } = limits;
  const rows = [
    [texts.activeJobs, active_jobs],
    [texts.dailyChanges, daily_changes],
  ] as const;
  return html`<section class="panel">
    <h2>${texts.tier}</h2>
    <p><span class="tag">${tier}</span></p>
    <p class="quiet">${texts.tierLead}</p>
    <dl class="limits">
      ${rows.map(([label, { used, limit }]) => {
        const words = texts.used(format.formatNumber(used), format.formatNumber(limit));
        return html`<div>
          <dt>${label}</dt>
          <dd>
            <progress max="${limit}" value="${Math.min(used, limit)}" aria-label="${label}"></progress>
            <span class="small quiet">${words}</span>
          </dd>
        </div>`;
      })}
    </dl>
    <ul class="ticks">
      <li>${texts.users}</li>
      <li>${tier === 'E3 Operator' || tier === 'partner' ? texts.ssoIncluded : texts.ssoHigher}</li>
    </ul>
  </section>`;
}

function renderLinks({ texts: { organisation: texts }, caller }: Visit): Html {
  return html`<section class="after">
    <h2>${texts.more}</h2>
    <ul class="plain-list links">
      <li><a href="/app/attestations">${texts.links.attestations}</a></li>
      <li><a href="/app/reports">${texts.links.reports}</a></li>
      <li><a href="/app/reviews">${texts.links.reviews}</a></li>
      ${
        caller.role !== 'org_viewer' &&
        html`<li><a href="/app/sso">${texts.links.sso}</a></li>
          <li><a href="/app/audit">${texts.links.audit}</a></li>`
      }
      <li><a href="/app/organisation/leave">${texts.links.leave}</a></li>
    </ul>
  </section>`;
}
