import { cvfQuadrants, type CvfQuadrant } from '#modules/organisations/culture';
import { clearances, remotePolicies } from '#modules/matching/jobs';
import { educationLevels } from '#modules/people/members';
import { traitSlotCount } from './slots.ts';
import type { MemberTerms, Values } from './terms.ts';

/*
 * The full records of a population: what decides the place of a member on a list, exactly, in 176 bytes. Means and variances are the 32-bit
 * numbers that the database stores. The scan reads none of it, so it is apart from the slots.
 *
 *   word 0: clearance 3 bits | accepted remote policies, in order, 2 each | country 11 | education 4 | provisional 1 | years plus one 7
 *   word 1: state 16 | currency 15
 *   word 2: salary plus one
 *   word 3: whether there are values 1 | values, whole numbers from 0 to 100, 7 each
 *
 * In all words zero stands for null.
 */

/** The records of a population, by position, in pieces, so that growth copies nothing. */
export type MemberRecords = { readonly numbers: Float32Array[]; readonly terms: Uint32Array[] };

/** A member's posterior and terms. */
export type MemberRecord = {
  readonly mean: Float32Array;
  readonly variance: Float32Array;
  readonly provisional: boolean;
  readonly terms: MemberTerms;
};

/** A divisor of the members of a chunk. Small, because a population has at least one piece. */
const pieceMembers = 4_096;
const recordNumbers = 2 * traitSlotCount;
const recordWords = 4;

/** The bytes of a record. */
export const record_bytes = 4 * (recordNumbers + recordWords);

export function createMemberRecords(): MemberRecords {
  return { numbers: [], terms: [] };
}

/** Writes the record of a position, which is at most one more than those written before. */
export function writeRecord(
  records: MemberRecords,
  position: number,
  {
    mean,
    variance,
    provisional = false,
    terms,
  }: {
    readonly mean: ArrayLike<number>;
    readonly variance: ArrayLike<number>;
    readonly provisional?: boolean | undefined;
    readonly terms: MemberTerms;
  },
): void {
  ensurePiece(records, position);
  const { numbers, words } = selectRecord(records, position);
  numbers.set(mean);
  numbers.set(variance, traitSlotCount);
  words.set(packTerms(terms, provisional));
}

/** Reads the record of a position. Its numbers are views, which a change of the population changes. */
export function readRecord(records: MemberRecords, position: number): MemberRecord {
  const { numbers, words } = selectRecord(records, position);
  return {
    mean: numbers.subarray(0, traitSlotCount),
    variance: numbers.subarray(traitSlotCount),
    provisional: ((words[0]! >>> 24) & 1) === 1,
    terms: unpackTerms(words),
  };
}

/** Copies the record of a position to another one. */
export function moveRecord(records: MemberRecords, from: number, to: number): void {
  const [source, target] = [selectRecord(records, from), selectRecord(records, to)];
  target.numbers.set(source.numbers);
  target.words.set(source.words);
}

/** Clears the record of a position. */
export function clearRecord(records: MemberRecords, position: number): void {
  const { numbers, words } = selectRecord(records, position);
  numbers.fill(0);
  words.fill(0);
}

/** Lists the bytes of the records at the positions from `from` on, which is the first of a piece: of each piece, the numbers and then the terms. */
export function listRecordBytes(
  records: MemberRecords,
  from: number,
  members: number,
): readonly Uint8Array[] {
  const toBytes = ({ buffer }: Float32Array | Uint32Array, length: number) =>
    new Uint8Array(buffer, 0, 4 * length);
  const parts: Uint8Array[] = [];
  for (let position = from; position < from + members; position += pieceMembers) {
    ensurePiece(records, position);
    const count = Math.min(pieceMembers, from + members - position);
    const piece = position / pieceMembers;
    parts.push(
      toBytes(records.numbers[piece]!, count * recordNumbers),
      toBytes(records.terms[piece]!, count * recordWords),
    );
  }
  return parts;
}

/** Computes the memory of records in bytes. */
export function computeRecordBytes({ numbers, terms }: MemberRecords): number {
  return [...numbers, ...terms].reduce((sum, { byteLength }) => sum + byteLength, 0);
}

function ensurePiece({ numbers, terms }: MemberRecords, position: number): void {
  if (position < numbers.length * pieceMembers) return;
  numbers.push(new Float32Array(pieceMembers * recordNumbers));
  terms.push(new Uint32Array(pieceMembers * recordWords));
}

function selectRecord(
  { numbers, terms }: MemberRecords,
  position: number,
): { readonly numbers: Float32Array; readonly words: Uint32Array } {
  const [piece, place] = [Math.floor(position / pieceMembers), position % pieceMembers];
  return {
    numbers: numbers[piece]!.subarray(place * recordNumbers, (place + 1) * recordNumbers),
    words: terms[piece]!.subarray(place * recordWords, (place + 1) * recordWords),
  };
}

function packTerms(terms: MemberTerms, provisional: boolean): readonly number[] {
  const policies = (terms.remote_policies ?? []).reduce(
    (bits, policy, place) => bits | ((1 + remotePolicies.indexOf(policy)) << (2 * place)),
    0,
  );
  const education = terms.education_level === null ? 0 : 1 + educationLevels.indexOf(terms.education_level);
  const years = terms.years_experience === null ? 0 : 1 + terms.years_experience;
  const first =
    clearances.indexOf(terms.clearance_held) |
    (policies << 3) |
    (packText(terms.location_country, letters) << 9) |
    (education << 20) |
    (Number(provisional) << 24) |
    (years << 25);
  const second =
    packText(terms.location_state, lettersAndDigits) | (packText(terms.salary_currency, letters) << 16);
  return [
    first >>> 0,
    second >>> 0,
    terms.salary_min === null ? 0 : 1 + terms.salary_min,
    packValues(terms.values),
  ];
}

function unpackTerms(words: Uint32Array): MemberTerms {
  const [first, second, salary, values] = [words[0]!, words[1]!, words[2]!, words[3]!];
  const policies = [0, 1, 2].flatMap((place) => remotePolicies[((first >>> (3 + 2 * place)) & 3) - 1] ?? []);
  const years = first >>> 25;
  return {
    clearance_held: clearances[first & 7]!,
    remote_policies: policies.length === 0 ? null : policies,
    location_country: unpackText((first >>> 9) & 2_047, letters),
    location_state: unpackText(second & 65_535, lettersAndDigits),
    years_experience: years === 0 ? null : years - 1,
    education_level: educationLevels[((first >>> 20) & 15) - 1] ?? null,
    salary_min: salary === 0 ? null : salary - 1,
    salary_currency: unpackText(second >>> 16, letters),
    values: unpackValues(values),
  };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const lettersAndDigits = `${letters}0123456789`;

/** Packs a text as a number with a digit from 1 for each character; 0 for null. */
function packText(text: string | null, alphabet: string): number {
  let number = 0;
  for (const character of text ?? '')
    number = (alphabet.length + 1) * number + alphabet.indexOf(character) + 1;
  return number;
}

function unpackText(number: number, alphabet: string): string | null {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / (alphabet.length + 1)))
    text = alphabet[(rest % (alphabet.length + 1)) - 1]! + text;
  return text === '' ? null : text;
}

function packValues(values: Values | null): number {
  if (values === null) return 0;
  return cvfQuadrants.reduce((bits, quadrant, place) => bits | (values[quadrant] << (1 + 7 * place)), 1);
}

function unpackValues(bits: number): Values | null {
  if (bits === 0) return null;
  const readValue = (quadrant: CvfQuadrant) => (bits >>> (1 + 7 * cvfQuadrants.indexOf(quadrant))) & 127;
  return {
    clan: readValue('clan'),
    adhocracy: readValue('adhocracy'),
    market: readValue('market'),
    hierarchy: readValue('hierarchy'),
  };
}
