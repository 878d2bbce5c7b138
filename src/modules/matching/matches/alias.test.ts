import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatParentId, child_id_bytes, readParentId } from '#lib/child-id.ts';
import { openMemory } from '#platform/instance-memory.ts';
import type { Platform } from '#platform/platform.ts';
import { createSecrets } from '#platform/security/secrets.ts';
import { computeAlias, computeAliases } from './alias.ts';

const buildServices = (key = 1) => ({
  memory: openMemory(() => ({}) as Platform),
  secrets: createSecrets(Buffer.alloc(32, key)),
});

const jobs = [1, 2, 3].map((byte) => formatParentId(new Uint8Array(child_id_bytes).fill(byte)));
const match = fc.record({
  job_id: fc.constantFrom(...jobs),
  version: fc.integer({ min: 0, max: 3 }),
  member_id: fc.uuid(),
});
type Named = { readonly job_id: string; readonly version: number; readonly member_id: string };

test('aliases of a list are those of its matches, in any order, on every node', () => {
  const services = buildServices();
  fc.assert(
    fc.property(fc.array(match, { maxLength: 40 }), (matches) => {
      expect(computeAliases(services, matches)).toEqual(
        matches.map((each) => computeAlias(buildServices(), each)),
      );
    }),
  );
});

test('an alias is a UUID that gives the id of its job', () => {
  fc.assert(
    fc.property(match, (each) => {
      const alias = computeAlias(buildServices(), each);
      expect(alias).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(readParentId(alias)).toBe(each.job_id);
    }),
  );
});

test('members of one version have different aliases, and so has a member in every job, version and service', () => {
  const services = buildServices();
  const readOwnPart = (named: Named, of = services) => computeAlias(of, named).slice(19);
  fc.assert(
    fc.property(match, fc.uuid(), (each, other) => {
      const variants: Named[] = [
        each,
        { ...each, version: each.version + 1 },
        { ...each, job_id: jobs[(jobs.indexOf(each.job_id) + 1) % jobs.length]! },
        ...(other === each.member_id ? [] : [{ ...each, member_id: other }]),
      ];
      const parts = variants.map((variant) => readOwnPart(variant));
      expect(new Set([...parts, readOwnPart(each, buildServices(2))]).size).toBe(variants.length + 1);
    }),
  );
});

test('every bit after the beginning of an alias is set for about half of the members', () => {
  const count = 1_000;
  const aliases = computeAliases(
    buildServices(),
    // Ids that differ in few bits.
    Array.from({ length: count }, (_, number) => ({
      job_id: jobs[0]!,
      version: 1,
      member_id: `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`,
    })),
  );
  const parts = aliases.map((alias) => BigInt(`0x${alias.slice(19).replace('-', '')}`));
  for (let bit = 0n; bit < 62n; bit++) {
    const share = parts.filter((part) => (part >> bit) & 1n).length / count;
    // Six standard deviations.
    expect(Math.abs(share - 0.5)).toBeLessThan(0.1);
  }
});
