/** Says in an email what is known of an organisation besides its name, which anyone can choose. A sentence goes on after it. */
export function describeDomain(domain: string | null): string {
  return domain === null
    ? '(it has not proven to us that an internet domain is its own)'
    : `(it has proven to us that the internet domain ${domain} is its own)`;
}
