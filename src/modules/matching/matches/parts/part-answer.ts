import { createTurnEnder } from '#lib/concurrency/create-turn-ender.ts';
import { formatUuid } from '#lib/text/format-uuid.ts';
import { confidenceLevels, matchQualities, shortlistLimits, type JobMatch } from '#modules/matching/engine';
import type { Secrets } from '#platform/security/secrets.ts';

/*
 * The answer of a part: for each job the number of matches, then 48 bytes for each: the id of the member, the mean and the standard deviation
 * of the fit and the choice as doubles, the suitability, and three bytes for the labels. Doubles, because the order of the merged list must be that of
 * one process.
 */

const count_bytes = 4;
const match_bytes = 48;
/** The nonce and the tag of the encryption. */
const seal_bytes = 28;

/** Computes the largest size of an encrypted answer for this many jobs. */
export function computeAnswerBytes(jobs: number): number {
  return seal_bytes + jobs * (count_bytes + shortlistLimits.matches * match_bytes);
}

const formatPurpose = (question_id: string) => `matching.part-answer:${question_id}`;

/** Encrypts the lists of the jobs of a question. */
export async function sealAnswer(
  secrets: Pick<Secrets, 'encryptBytes'>,
  question_id: string,
  lists: readonly (readonly JobMatch[])[],
): Promise<Buffer> {
  const endLongTurn = createTurnEnder();
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.alloc(lists.length * count_bytes + total * match_bytes);
  let offset = 0;
  for (const list of lists) {
    await endLongTurn();
    offset = bytes.writeUInt32LE(list.length, offset);
    for (const match of list) offset = writeMatch(bytes, offset, match);
  }
  return secrets.encryptBytes(formatPurpose(question_id), bytes);
}

/** Decrypts an answer. @throws Error if it is not the answer to this question, or was altered. */
export async function unsealAnswer(
  secrets: Pick<Secrets, 'decryptBytes'>,
  question_id: string,
  sealed: Buffer,
): Promise<readonly (readonly JobMatch[])[]> {
  const endLongTurn = createTurnEnder();
  const bytes = secrets.decryptBytes(formatPurpose(question_id), sealed);
  const lists: (readonly JobMatch[])[] = [];
  for (let offset = 0; offset < bytes.length;) {
    await endLongTurn();
    const first = offset + count_bytes;
    const matches = bytes.readUInt32LE(offset);
    lists.push(Array.from({ length: matches }, (_, place) => readMatch(bytes, first + place * match_bytes)));
    offset = first + matches * match_bytes;
  }
  return lists;
}

function writeMatch(bytes: Buffer, offset: number, match: JobMatch): number {
  bytes.write(match.member_id.replaceAll('-', ''), offset, 'hex');
  let end = bytes.writeDoubleLE(match.fit.mean, offset + 16);
  end = bytes.writeDoubleLE(match.fit.sd, end);
  end = bytes.writeDoubleLE(match.choice, end);
  end = bytes.writeInt32LE(match.suitability, end);
  end = bytes.writeUInt8(matchQualities.indexOf(match.quality), end);
  end = bytes.writeUInt8(confidenceLevels.indexOf(match.confidence_level), end);
  bytes.writeUInt8(Number(match.provisional), end);
  return offset + match_bytes;
}

function readMatch(bytes: Buffer, offset: number): JobMatch {
  return {
    member_id: formatUuid(bytes.toString('hex', offset, offset + 16)),
    fit: { mean: bytes.readDoubleLE(offset + 16), sd: bytes.readDoubleLE(offset + 24) },
    choice: bytes.readDoubleLE(offset + 32),
    suitability: bytes.readInt32LE(offset + 40),
    quality: matchQualities[bytes.readUInt8(offset + 44)]!,
    confidence_level: confidenceLevels[bytes.readUInt8(offset + 45)]!,
    provisional: bytes.readUInt8(offset + 46) === 1,
  };
}
