import { emailInput } from '#modules/access/accounts';
import { findDomainHolder, readMailDomain } from '#modules/organisations/orgs';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable } from '#platform/schema.ts';
import { Type } from 'typebox';
import { findEnabledProtocol } from './find-enabled-protocol.ts';

export const findLogin = operation({
  name: 'sso.findLogin',
  title: 'Find the SSO login of an address',
  summary:
    'Returns where the users of an email domain log in, if an organisation has verified the domain and has single sign-on. It says nothing about the address itself.',
  who: 'anyone',
  input: closedObject({ email: emailInput }),
  output: {
    200: closedObject({
      login_url: field(
        nullable(Type.String()),
        'The address at which the login starts; null if the domain has no single sign-on.',
        'https://tessera.example/api/v1/auth/sso/2a7d4c18-93f5-4b61-8c0e-5d2f1b3a4c67/login',
      ),
    }),
  },
  refuses: [],
  run: async ({ config, database }, { email }) => {
    const org_id = await findDomainHolder({ config }, database, readMailDomain(email));
    const isFound = org_id !== undefined && (await findEnabledProtocol(database, org_id)) !== undefined;
    return { login_url: isFound ? `${config.publicUrl}/api/v1/auth/sso/${org_id}/login` : null };
  },
});
