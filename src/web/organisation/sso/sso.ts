import { Refusal } from '#lib/refusal.ts';
import * as orgs from '#modules/organisations/orgs';
import * as sso from '#modules/access/sso';
import { renderFacts } from '../../parts/facts.ts';
import { html, type Html } from '../../serving/html.ts';
import { goTo, showHeaded, type Page, type Visit } from '../../serving/page.ts';
import { renderAddress } from '../../parts/address.ts';
import { isAdmin, showReadersOnly } from '../admins-only.ts';
import { readUnlessRefused } from '../../parts/read-unless-refused.ts';
import type { Configuration, OpenidConfiguration } from './configuration.ts';
import { renderDomains } from './domains.ts';
import { readOpenidSetUp } from './openid-form.ts';
import { readSetUp, renameSetUpFields } from './read-set-up.ts';
import { renderSetUp } from './set-up-form.ts';

/** Single sign-on of the organisation: what the identity provider needs, the set-up, the domains, and a test. */
export const ssoPage: Page = {
  show: async (visit) => {
    const { sso: texts } = visit.texts;
    if (visit.caller.role === 'org_viewer') return showReadersOnly(visit, texts.title);
    const { id: org_id, tier } = await visit.call(orgs.readOrganisation);
    const isAllowed = tier === 'E3 Operator' || tier === 'partner';
    return showHeaded(texts, isAllowed ? await renderSso(visit, org_id) : renderTier(visit, tier), {
      back: ['/app/organisation', texts.back],
    });
  },
  actions: {
    send: async (visit, fields) => {
      const org_id = readOrgId(visit);
      await renameSetUpFields(() => visit.call(sso.configureSso, { org_id, ...readSetUp(fields) }));
      return goTo('/app/sso', 'ssoSaved');
    },
    openid: async (visit, fields) => {
      const org_id = readOrgId(visit);
      await renameSetUpFields(() => visit.call(sso.configureOpenid, { org_id, ...readOpenidSetUp(fields) }));
      return goTo('/app/sso', 'ssoSaved');
    },
    verify: async (visit, { domain = '' }) => {
      await visit.call(sso.verifyDomain, { org_id: readOrgId(visit), domain });
      return goTo('/app/sso', 'domainVerified');
    },
  },
};

function readOrgId({ caller }: Visit): string {
  if ('org_id' in caller) return caller.org_id;
  throw new Refusal('role_not_allowed');
}

function renderTier({ texts: { sso: texts } }: Visit, tier: string): Html {
  return html`<section class="panel reading">
    <h2>${texts.tierTitle}</h2>
    <p>${texts.tierLead(tier)}</p>
    <p class="buttons"><a class="button quiet" href="/app/organisation">${texts.tierButton}</a></p>
  </section>`;
}

async function renderSso(visit: Visit, org_id: string): Promise<Html> {
  const { sso: texts } = visit.texts;
  const [saml, openid] = [
    await readUnlessRefused(['sso_not_configured'], () => visit.call(sso.readConfiguration, { org_id })),
    await readUnlessRefused(['sso_not_configured'], () => visit.call(sso.readOpenid, { org_id })),
  ];
  const service = sso.buildServiceProvider(visit.publicUrl, org_id);
  const redirectUri = sso.buildRedirectUri(visit.publicUrl, org_id);
  const either = saml ?? openid;
  return html`${saml && renderState(visit, saml)} ${openid && renderOpenidState(visit, openid)}
    ${either && renderDomains(visit, either)}
    <section class="after">
      <h2>${texts.service}</h2>
      <p class="quiet">${texts.serviceLead}</p>
      ${renderFacts(
        [
          [texts.entityId, html`<code>${renderAddress(service.sp_entity_id)}</code>`],
          [texts.acs, html`<code>${renderAddress(service.acs_url)}</code>`],
          [texts.metadata, html`<a href="${service.metadata_url}" download>${texts.download}</a>`],
          [texts.redirectUri, html`<code>${renderAddress(redirectUri)}</code>`],
        ],
        'rows addresses',
      )}
    </section>
    ${isAdmin(visit) && html`<p class="after"><a href="/app/directory">${texts.directory}</a></p>`}
    ${isAdmin(visit) && renderSetUp(visit, { saml, openid })}`;
}

/** Whether people can log in this way, until when the certificates are valid, and a login to test it. */
function renderState(visit: Visit, configuration: Configuration): Html {
  const { sso: texts } = visit.texts;
  const { enabled, idp_entity_id, idp_sso_url, idp_certificates, login_url, default_role } = configuration;
  return html`<section class="panel">
    <h2>
      ${texts.provider} <span class="tag ${!enabled && 'clay'}">${enabled ? texts.on : texts.off}</span>
    </h2>
    ${renderFacts(
      [
        [texts.idpEntityId, html`<code>${renderAddress(idp_entity_id)}</code>`],
        [texts.idpSsoUrl, html`<code>${renderAddress(idp_sso_url)}</code>`],
        [texts.newUsers, visit.texts.people.roles[default_role]],
        ...idp_certificates.map(
          ({ subject, not_after, expired }) =>
            [
              texts.certificate,
              html`${subject}
                <span class="${expired ? 'error' : 'quiet'}"
                  >${expired ? texts.expired : texts.validUntil(visit.format.formatDate(not_after))}</span
                >`,
            ] as const,
        ),
      ],
      'facts',
    )}
    ${enabled && renderTest(visit, login_url)}
  </section>`;
}

function renderOpenidState(visit: Visit, configuration: OpenidConfiguration): Html {
  const { sso: texts } = visit.texts;
  const { enabled, issuer, client_id, login_url, default_role } = configuration;
  return html`<section class="panel">
    <h2>
      ${texts.openidProvider} <span class="tag ${!enabled && 'clay'}">${enabled ? texts.on : texts.off}</span>
    </h2>
    ${renderFacts(
      [
        [texts.issuer, html`<code>${renderAddress(issuer)}</code>`],
        [texts.clientId, html`<code>${client_id}</code>`],
        [texts.newUsers, visit.texts.people.roles[default_role]],
      ],
      'facts',
    )}
    ${enabled && renderTest(visit, login_url)}
  </section>`;
}

function renderTest({ texts: { sso: texts } }: Visit, login_url: string): Html {
  return html`<p class="buttons">
      <a class="button" href="${login_url}?relay_state=${encodeURIComponent('/app/sso?notice=ssoTested')}"
        >${texts.test}</a
      >
    </p>
    <p class="quiet small">${texts.testLead}</p>
    <p class="quiet small">${texts.loginAddress} <code>${renderAddress(login_url)}</code></p>`;
}
