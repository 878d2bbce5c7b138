/** The number of random bytes that {@link formatJobId} and {@link formatMatchId} need. */
export const match_id_bytes = 8;

/** What the id of every job ends with: a job's id has 60 random bits, all of them before this. */
const job_ending = '-8000-000000000000';

/** The characters before {@link job_ending}, in an id of a job or of one of its matches. */
const job_characters = 18;

/**
 * Formats the id of a job: a UUID of version 8 (RFC 9562), whose first half has 60 random bits and whose second half has none.
 *
 * @param random Eight random bytes.
 */
export function formatJobId(random: Uint8Array): string {
  const hex = toHex(random);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13)}${job_ending}`;
}

/**
 * Formats the id of a match of a job: a UUID of version 8 that begins like the id of the job and has 62 random bits of its own. It says
 * nothing about the member, and nothing about the job beyond its id, which both parties know.
 *
 * @param random Eight random bytes.
 */
export function formatMatchId(job_id: string, random: Uint8Array): string {
  return formatMatchIdFromHex(job_id, toHex(random));
}

/** Formats the id of a match like {@link formatMatchId}, from eight random bytes in hexadecimal. Digits after them are ignored. */
export function formatMatchIdFromHex(job_id: string, hex: string): string {
  // The first two bits are the variant.
  const first = '89ab'[Number.parseInt(hex[0]!, 16) & 3]!;
  return `${job_id.slice(0, job_characters)}-${first}${hex.slice(1, 4)}-${hex.slice(4, 2 * match_id_bytes)}`;
}

/** Computes the id of the job from the id of a match. The id of something else gives the id of no job. */
export function readJobId(match_id: string): string {
  return `${match_id.slice(0, job_characters)}${job_ending}`;
}

function toHex(random: Uint8Array): string {
  if (random.length !== match_id_bytes)
    throw new Error(`the id of a job or a match needs ${match_id_bytes} random bytes`);
  return Buffer.from(random).toString('hex');
}
