import { renderOnceConfirmed } from '../../account/require-recent.ts';
import { renderSwitch } from '../../parts/switch.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renderForm, type Field } from '../../parts/form.ts';
import { ways, type Way } from './read-set-up.ts';
import type { Configuration, OpenidConfiguration } from './configuration.ts';
import { buildOpenidFields, buildRoleFields } from './openid-form.ts';

/** What is set up already, by either protocol. */
export type SetUps = {
  readonly saml: Configuration | undefined;
  readonly openid: OpenidConfiguration | undefined;
};

/** Renders the form that sets up or replaces the identity provider: SAML in one of three ways, or OpenID Connect. */
export function renderSetUp(visit: Visit, setUps: SetUps): Html {
  const { sso: texts } = visit.texts;
  const way = chooseWay(visit, setUps);
  const configuration = way === 'openid' ? setUps.openid : setUps.saml;
  return html`<section class="after" id="set-up">
    <h2>${configuration ? texts.change : texts.setUp}</h2>
    <p class="quiet">${texts.setUpLead}</p>
    ${renderOnceConfirmed(
      visit,
      () =>
        html`${renderSwitch(
          texts.way,
          ways.map((each) => [`/app/sso?by=${each}#set-up`, texts.ways[each], each === way]),
        )}
        ${renderForm(visit, {
          ...(way === 'openid' && { action: 'openid' }),
          button: configuration ? texts.save : texts.start,
          hidden: { way },
          fields:
            way === 'openid'
              ? listOpenidFields(visit, setUps.openid)
              : listSamlFields(visit, way, setUps.saml),
        })}`,
    )}
  </section>`;
}

function chooseWay({ query, form }: Visit, { saml, openid }: SetUps): Way {
  const asked = form.values['way'] ?? query['by'];
  const usual = saml && saml.idp_metadata_url === null ? 'fields' : 'url';
  return ways.find((each) => each === asked) ?? (openid && !saml?.enabled ? 'openid' : usual);
}

function listSamlFields(
  visit: Visit,
  way: Exclude<Way, 'openid'>,
  configuration: Configuration | undefined,
): readonly Field[] {
  return [
    ...buildProviderFields(visit, way, configuration),
    ...buildDomainFields(visit, configuration),
    ...buildAttributeFields(visit, configuration),
    ...buildNewUserFields(visit, configuration),
    {
      name: 'allow_idp_initiated',
      label: visit.texts.sso.idpInitiated,
      look: 'check',
      value: String(configuration?.allow_idp_initiated ?? false),
      may_be_empty: true,
    },
    ...buildSwitchFields(visit, configuration),
  ];
}

function listOpenidFields(visit: Visit, configuration: OpenidConfiguration | undefined): readonly Field[] {
  return [
    ...buildOpenidFields(visit, configuration),
    ...buildDomainFields(visit, configuration),
    ...buildNewUserFields(visit, configuration),
    ...buildRoleFields(visit, configuration),
    ...buildSwitchFields(visit, configuration),
  ];
}

function buildProviderFields(
  { texts: { sso: texts } }: Visit,
  way: Exclude<Way, 'openid'>,
  configuration: Configuration | undefined,
): readonly Field[] {
  if (way === 'url')
    return [
      {
        name: 'idp_metadata_url',
        label: texts.metadataUrl,
        hint: texts.metadataUrlHint,
        value: configuration?.idp_metadata_url,
        maxlength: 2_000,
      },
    ];
  if (way === 'xml')
    return [
      {
        name: 'idp_metadata_xml',
        label: texts.metadataXml,
        hint: texts.metadataXmlHint,
        lines: 8,
        maxlength: 200_000,
      },
    ];
  return [
    {
      name: 'idp_entity_id',
      label: texts.idpEntityId,
      value: configuration?.idp_entity_id,
      maxlength: 1_024,
    },
    { name: 'idp_sso_url', label: texts.idpSsoUrl, value: configuration?.idp_sso_url, maxlength: 2_000 },
    {
      name: 'idp_certificates',
      label: texts.certificates,
      hint: texts.certificatesHint,
      lines: 6,
      maxlength: 50_000,
    },
  ];
}

type EitherConfiguration = Configuration | OpenidConfiguration | undefined;

function buildDomainFields(
  { texts: { sso: texts } }: Visit,
  configuration: EitherConfiguration,
): readonly Field[] {
  return [
    {
      name: 'email_domains',
      label: texts.emailDomains,
      hint: texts.emailDomainsHint,
      value: configuration?.email_domains.join(', '),
      maxlength: 10_000,
    },
  ];
}

function buildAttributeFields(
  { texts: { sso: texts } }: Visit,
  configuration: Configuration | undefined,
): readonly Field[] {
  return [
    {
      name: 'attribute_email',
      label: texts.attributeEmail,
      hint: texts.attributeHint,
      value: configuration?.attribute_mapping.email ?? 'email',
      maxlength: 256,
    },
    {
      name: 'attribute_name',
      label: texts.attributeName,
      value: configuration?.attribute_mapping.name,
      maxlength: 256,
      optional: true,
    },
  ];
}

function buildNewUserFields(
  { texts: { sso: texts, people } }: Visit,
  configuration: EitherConfiguration,
): readonly Field[] {
  return [
    {
      name: 'default_role',
      label: texts.newUsers,
      look: 'radio',
      value: configuration?.default_role ?? 'org_viewer',
      options: (['org_viewer', 'auditor'] as const).map((role) => [role, people.roleChoices[role]] as const),
    },
  ];
}

function buildSwitchFields(
  { texts: { sso: texts } }: Visit,
  configuration: EitherConfiguration,
): readonly Field[] {
  return [
    {
      name: 'enabled',
      label: texts.enabled,
      look: 'check',
      value: String(configuration?.enabled ?? true),
      may_be_empty: true,
    },
  ];
}
