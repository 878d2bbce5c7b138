import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildDisclosures, joinSdJwt, splitSdJwt, applyDisclosures } from './sd-jwt.ts';

const names = fc.constantFrom('sub', 'archetype', 'statement', 'job_title', 'trait_coverage');
const claims = fc.dictionary(
  names,
  fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  { noNullPrototype: true },
);

it('any subset of the disclosures restores exactly its claims', () => {
  fc.assert(
    fc.property(claims, fc.infiniteStream(fc.boolean()), (all, isDisclosed) => {
      const { _sd, disclosures } = buildDisclosures(all);
      expect(_sd).toEqual([..._sd].toSorted());
      const choices = Object.keys(all).map(
        (name, index) => [name, disclosures[index]!, isDisclosed.next().value as boolean] as const,
      );
      const shown = choices.filter(([, , disclosed]) => disclosed);
      const split = splitSdJwt(
        joinSdJwt(
          'a.b.c',
          shown.map(([, disclosure]) => disclosure),
        ),
      )!;
      expect(applyDisclosures({ iss: 'x', _sd, _sd_alg: 'sha-256' }, split.disclosures)).toEqual({
        iss: 'x',
        ...JSON.parse(JSON.stringify(Object.fromEntries(shown.map(([name]) => [name, all[name]])))),
      });
    }),
  );
});

it('the same claims have different digests each time', () => {
  const [one, other] = [buildDisclosures({ archetype: 'keel' }), buildDisclosures({ archetype: 'keel' })];
  expect(one._sd).not.toEqual(other._sd);
});

it('rejects a disclosure without a digest, a repeated claim, an unknown hash algorithm and a key binding', () => {
  const own = buildDisclosures({ archetype: 'keel' });
  const other = buildDisclosures({ archetype: 'sail' });
  const payload = { _sd: own._sd, _sd_alg: 'sha-256' };
  expect(applyDisclosures(payload, other.disclosures)).toBeUndefined();
  expect(applyDisclosures({ ...payload, archetype: 'sail' }, own.disclosures)).toBeUndefined();
  expect(applyDisclosures(payload, [...own.disclosures, ...own.disclosures])).toBeUndefined();
  expect(applyDisclosures({ ...payload, _sd_alg: 'md5' }, own.disclosures)).toBeUndefined();
  expect(splitSdJwt('a.b.c~d~e.f.g')).toBeUndefined();
  expect(splitSdJwt(`a.b.c${'~d'.repeat(33)}~`)).toBeUndefined();
});
