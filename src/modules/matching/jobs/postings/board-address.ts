import { createFieldRefusal } from '#lib/refusal.ts';
import { field, text } from '#platform/schema.ts';

/** The servers on which people read a board, and where the service publishes its jobs as JSON. */
const boards: readonly { readonly hosts: readonly string[]; readonly format: (name: string) => string }[] = [
  {
    hosts: [
      'boards.greenhouse.io',
      'job-boards.greenhouse.io',
      'boards.eu.greenhouse.io',
      'job-boards.eu.greenhouse.io',
    ],
    format: (name) => `https://boards-api.greenhouse.io/v1/boards/${name}/jobs?content=true`,
  },
  { hosts: ['jobs.lever.co'], format: (name) => `https://api.lever.co/v0/postings/${name}?mode=json` },
  { hosts: ['jobs.eu.lever.co'], format: (name) => `https://api.eu.lever.co/v0/postings/${name}?mode=json` },
  {
    hosts: ['jobs.ashbyhq.com'],
    format: (name) => `https://api.ashbyhq.com/posting-api/job-board/${name}?includeCompensation=true`,
  },
];

/** The servers that publish boards as JSON. */
const servers: ReadonlySet<string> = new Set(boards.map(({ format }) => new URL(format('name')).hostname));

/** Whether an address is on a server that publishes boards, which are longer than pages. */
export function isBoardServer(address: string): boolean {
  return URL.canParse(address) && servers.has(new URL(address).hostname);
}

/**
 * Finds where the jobs of a board are published as JSON, from the address at which people read it: `https://jobs.lever.co/acme`. Any other address, such as that of one of its jobs, stays as it is.
 *
 * @throws Refusal `field_invalid` if the name of the board is missing or is none.
 */
export function findBoardAddress(address: string): string {
  if (!URL.canParse(address)) return address;
  const { hostname, pathname } = new URL(address);
  const board = boards.find(({ hosts }) => hosts.includes(hostname));
  const [written = '', ...others] = pathname.split('/').filter((part) => part !== '');
  if (!board || others.length > 0) return address;
  const name = decodeName(written);
  if (name === undefined || !/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u.test(name))
    throw createFieldRefusal(
      'field_invalid',
      '/url',
      `must end with the name of a board: https://${hostname}/name`,
    );
  return board.format(encodeURIComponent(name));
}

function decodeName(written: string): string | undefined {
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}

/** The address of a page or a board, as an import takes it. */
export const addressInput = field(
  text(2_000),
  'The address of a page, or of a board as people or programs read it: https://boards.greenhouse.io/name, https://jobs.lever.co/name, https://jobs.ashbyhq.com/name.',
  'https://jobs.lever.co/river-murray-trust',
);
