import { doesImitateService, findImitations } from '#modules/organisations/orgs';
import type { Reader } from '#platform/database/database.ts';
import type { Services } from '#platform/platform.ts';
import { findDocumentHost, type Grant } from './grants/rules.ts';

/** A client as it describes itself. */
type Client = {
  readonly id: string;
  /** What it calls itself, as a plain name; empty if it has no name. */
  readonly name: string;
  readonly redirect_host: string;
};

/** How people read the name of a client, and whether it calls itself that. */
export type ClientName = { readonly name: string; readonly is_named: boolean };

/**
 * Chooses how people read the names of clients, wherever they do. Anyone can give a client any name. One without a name, or with one that would be taken for
 * this service or for an organisation that has proven a domain, is known by the host of its document, or else by the host or scheme to which
 * people return.
 *
 * @returns the names, in the order of the clients.
 */
async function nameClients(
  services: Pick<Services, 'config'>,
  db: Reader,
  clients: readonly Client[],
): Promise<readonly ClientName[]> {
  const names = clients.map(({ name }) => name).filter((name) => name !== '');
  const imitations = names.length > 0 ? await findImitations(services, db, names) : new Set();
  const { host } = new URL(services.config.publicUrl);
  return clients.map((client) => {
    const { name } = client;
    return name === '' || imitations.has(name)
      ? { name: chooseHost(client, host), is_named: false }
      : { name, is_named: true };
  });
}

/** As {@link nameClients}, for one client. */
export async function nameClient(
  services: Pick<Services, 'config'>,
  db: Reader,
  client: Client,
): Promise<ClientName> {
  const [name] = await nameClients(services, db, [client]);
  return name!;
}

/** As {@link nameClients}, for the clients of grants: another organisation may have proven a domain since. */
export async function nameGrants(
  services: Pick<Services, 'config'>,
  db: Reader,
  grants: readonly Grant[],
): Promise<readonly Grant[]> {
  const clients = grants.map(({ client_id: id, client_name: name, redirect_host }) => ({
    id,
    name,
    redirect_host,
  }));
  const names = await nameClients(services, db, clients);
  return grants.map((grant, index) => ({ ...grant, client_name: names[index]!.name }));
}

const nameless = 'an unnamed program';

/** A program on the person's device chooses its scheme as freely as its name, and anyone can register a domain that contains the name of this service. */
function chooseHost({ id, redirect_host }: Client, service_host: string): string {
  const hosts = [findDocumentHost(id), redirect_host];
  return hosts.find((host) => host !== null && !doesImitateService(host, service_host)) ?? nameless;
}
