import { renderOnceConfirmed } from '../../account/require-recent.ts';
import { renderSwitch } from '../../parts/switch.ts';
import { html, type Html } from '../../serving/html.ts';
import type { Visit } from '../../serving/page.ts';
import { renderForm, type Field } from '../../parts/form.ts';
import { ways, type Way } from './read-set-up.ts';
import type { Configuration } from './configuration.ts';

/** Renders the form that sets up or replaces the identity provider, in one of three ways. */
export function renderSetUp(visit: Visit, configuration: Configuration | undefined): Html {
  const { sso: texts } = visit.texts;
  const way = chooseWay(visit, configuration);
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
          button: configuration ? texts.save : texts.start,
          hidden: { way },
          fields: [
            ...buildProviderFields(visit, way, configuration),
            ...buildUserFields(visit, configuration),
          ],
        })}`,
    )}
  </section>`;
}

function chooseWay({ query, form }: Visit, configuration: Configuration | undefined): Way {
  const asked = form.values['way'] ?? query['by'];
  const usual = configuration && configuration.idp_metadata_url === null ? 'fields' : 'url';
  return ways.find((each) => each === asked) ?? usual;
}

function buildProviderFields(
  { texts: { sso: texts } }: Visit,
  way: Way,
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

function buildUserFields(visit: Visit, configuration: Configuration | undefined): readonly Field[] {
  const { sso: texts, people } = visit.texts;
  return [
    {
      name: 'email_domains',
      label: texts.emailDomains,
      hint: texts.emailDomainsHint,
      value: configuration?.email_domains.join(', '),
      maxlength: 10_000,
    },
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
    {
      name: 'default_role',
      label: texts.newUsers,
      look: 'radio',
      value: configuration?.default_role ?? 'org_viewer',
      options: (['org_viewer', 'auditor'] as const).map((role) => [role, people.roleChoices[role]] as const),
    },
    {
      name: 'allow_idp_initiated',
      label: texts.idpInitiated,
      look: 'check',
      value: String(configuration?.allow_idp_initiated ?? false),
      may_be_empty: true,
    },
    {
      name: 'enabled',
      label: texts.enabled,
      look: 'check',
      value: String(configuration?.enabled ?? true),
      may_be_empty: true,
    },
  ];
}
