import { expect, test } from 'vitest';
import { createNormalPopulation, openTerms } from '#test/modules/random-population.ts';
import { collectBestMembers } from './best-members.ts';
import { builtInNorms } from '#modules/measurement/traits';
import { computeFitWeights } from './fit.ts';
import { packFilter } from './facts.ts';

const members = 4_000;
const limit = 3_000;

test('a search pauses before the threshold and before the selection of each job', async () => {
  const population = createNormalPopulation(members, 1);
  let pauses = 0;
  const endLongTurn = async () => void pauses++;
  const query = {
    weights: computeFitWeights({ accountability: 1 }, builtInNorms),
    filter: packFilter(openTerms),
    limit,
    passes: 0,
  };
  const found = await population.runExclusively((scanner) =>
    collectBestMembers(scanner, [query, query], endLongTurn),
  );
  const [one, other] = found.map((each) => each.found.length);
  expect(one).toBeGreaterThan(1_000);
  expect(other).toBe(one);
  expect(pauses).toBe(4);
});
