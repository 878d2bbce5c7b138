import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJobId, formatMatchId, match_id_bytes, readJobId } from './match-id.ts';

const bytes = fc.uint8Array({ minLength: match_id_bytes, maxLength: match_id_bytes });
const uuidOfVersion8 = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('the ids of jobs and matches are UUIDs of version 8', () => {
  fc.assert(
    fc.property(bytes, bytes, (ofJob, ofMatch) => {
      const job_id = formatJobId(ofJob);
      expect(job_id).toMatch(uuidOfVersion8);
      expect(formatMatchId(job_id, ofMatch)).toMatch(uuidOfVersion8);
    }),
  );
});

test('the id of a match gives the id of its job', () => {
  fc.assert(
    fc.property(bytes, bytes, (ofJob, ofMatch) => {
      const job_id = formatJobId(ofJob);
      expect(readJobId(formatMatchId(job_id, ofMatch))).toBe(job_id);
      expect(readJobId(job_id)).toBe(job_id);
    }),
  );
});

test('known bytes give known ids', () => {
  const job_id = formatJobId(Uint8Array.of(0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef));
  expect(job_id).toBe('01234567-89ab-8def-8000-000000000000');
  const match_id = formatMatchId(job_id, Uint8Array.of(0xff, 0xfe, 1, 2, 3, 4, 5, 6));
  expect(match_id).toBe('01234567-89ab-8def-bffe-010203040506');
});

test('all bits but the six of the version and the variant are random: two ids differ if their bytes do', () => {
  const job_id = formatJobId(new Uint8Array(match_id_bytes));
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const toBits = (random: Uint8Array) => Buffer.from(random.with(0, random[0]! & 0x3f));
      expect(formatMatchId(job_id, one) === formatMatchId(job_id, other)).toBe(
        toBits(one).equals(toBits(other)),
      );
    }),
  );
});

test('the id of a match does not depend on its member, and ids of two jobs share nothing by which they could be joined', () => {
  const [one, other] = [1, 2].map((first) => formatJobId(Uint8Array.of(first, 0, 0, 0, 0, 0, 0, 0)));
  // The function does not get the member, so that the same bytes are all that two ids could have in common.
  const random = Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9);
  expect(formatMatchId(one!, random)).not.toBe(formatMatchId(other!, random));
  expect(formatMatchId.length).toBe(2);
});

test('rejects too few and too many bytes as a defect', () => {
  expect(() => formatJobId(new Uint8Array(7))).toThrow('8 random bytes');
  expect(() => formatMatchId(formatJobId(new Uint8Array(8)), new Uint8Array(9))).toThrow('8 random bytes');
});
