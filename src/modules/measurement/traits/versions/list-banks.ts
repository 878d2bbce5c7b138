import { Type } from 'typebox';
import { operation } from '#platform/operation.ts';
import { closedObject, field, nullable, timestamp } from '#platform/schema.ts';
import { builtInBanks } from '../items/item-bank.ts';
import { resolveVersionInUse } from '../parameters/parameters-in-use.ts';
import { ownBank } from '../parameters/store.ts';
import { listBanksWithVersions } from '../banks/store.ts';

const versions_max = 500;

const versionWire = closedObject({
  version: field(Type.String(), 'The name of the version.', 'mvp20-2.correlated'),
  provisional: field(Type.Boolean(), 'Whether too few answers have confirmed the parameters so far.', true),
  respondents: field(Type.Integer({ minimum: 0 }), 'The people whose answers it was estimated from.', 812),
  created_at: field(
    nullable(timestamp),
    'When it was made; null if it is part of the program.',
    '2026-03-02T09:00:00.000Z',
  ),
});

export const listBanks = operation({
  name: 'traits.listBanks',
  title: 'List banks of statements',
  summary: `Lists our own bank and the imported ones with the versions of their parameters, at most ${versions_max}, the newest first.`,
  who: ['platform_admin'],
  output: {
    200: closedObject({
      in_use: field(Type.String(), 'The version that new assessments use.', 'mvp20-2.correlated'),
      banks: field(
        Type.Array(
          closedObject({
            bank: field(Type.String(), 'The name of the bank; ours is `tessera`.', 'tessera'),
            versions: field(Type.Array(versionWire), 'Its versions, the newest first.'),
          }),
        ),
        'The banks, ours first.',
      ),
    }),
  },
  run: async ({ database }) => {
    const stored = await listBanksWithVersions(database, versions_max);
    const banks = new Map<string, (typeof builtIn)[number][]>();
    const builtIn = [...builtInBanks.values()].map(({ parameter_version, provisional }) => ({
      version: parameter_version,
      provisional,
      respondents: 0,
      created_at: null as string | null,
    }));
    banks.set(ownBank, []);
    for (const { bank, version, provisional, respondents, created_at } of stored) {
      const versions = banks.get(bank) ?? [];
      banks.set(bank, versions);
      if (version !== null)
        versions.push({
          version,
          provisional: provisional === true,
          respondents: respondents ?? 0,
          created_at: created_at.toISOString(),
        });
    }
    banks.get(ownBank)!.push(...builtIn.toReversed());
    return {
      in_use: await resolveVersionInUse(database),
      banks: [...banks].map(([bank, versions]) => ({ bank, versions })),
    };
  },
});
