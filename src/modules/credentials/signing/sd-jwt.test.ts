import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildDisclosures, joinSdJwt, splitSdJwt, applyDisclosures } from './sd-jwt.ts';

const names = fc.constantFrom('sub', 'archetype', 'statement', 'job_title', 'trait_coverage');
const claims = fc.dictionary(
  names,
  fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  { noNullPrototype: true },
);

it('whatever part of the disclosures is shown, exactly those claims come back', () => {
  fc.assert(
    fc.property(claims, fc.infiniteStream(fc.boolean()), (all, coins) => {
      const { _sd, disclosures } = buildDisclosures(all);
      expect(_sd).toEqual([..._sd].toSorted());
      const kept = Object.keys(all).map(
        (name, index) => [name, disclosures[index]!, coins.next().value as boolean] as const,
      );
      const shown = kept.filter(([, , keep]) => keep);
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

it('the same claims never have the same digests twice', () => {
  const [one, other] = [buildDisclosures({ archetype: 'keel' }), buildDisclosures({ archetype: 'keel' })];
  expect(one._sd).not.toEqual(other._sd);
});

it('a disclosure that no digest names, one that says a claim anew, and a key binding are refused', () => {
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
