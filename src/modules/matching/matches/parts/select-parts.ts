import { formatIndexShard } from '#lib/concurrency/index-shard.ts';
import type { IndexNode } from '../index/store-nodes.ts';

/** A worker that holds a part and can be asked. */
export type IndexPart = Pick<IndexNode, 'id' | 'name' | 'members'> & {
  readonly shard: number;
  readonly shards: number;
  /** The origin of its internal port. */
  readonly address: string;
};

/** The parts to ask, one for each number; or why there is no complete set, in one line. */
export type PartSelection = { readonly parts: readonly IndexPart[] } | { readonly reason: string };

type ShardNode = IndexNode & { readonly shard: number; readonly shards: number };

/**
 * Selects the parts that are asked: of the workers that have reported recently and have the version of the process that asks, the largest
 * complete set. So a set of more or fewer parts can come up beside another one, which stays in use until the new one is complete.
 */
export function selectParts(nodes: readonly IndexNode[], version: string): PartSelection {
  const holders = nodes.filter((node): node is ShardNode => node.shard !== null && node.shards !== null);
  const own = holders.filter((holder) => holder.version === version);
  const sets = [...Map.groupBy(own, ({ shards }) => shards)].toSorted(([one], [other]) => other - one);
  for (const [shards, set] of sets) {
    const ready = set.flatMap(toPart);
    if (ready.length === shards) return { parts: ready.toSorted((one, other) => one.shard - other.shard) };
  }
  const [nearest] = sets.toSorted(
    ([one, few], [other, many]) => countLacking(one, few) - countLacking(other, many),
  );
  return { reason: nearest ? describeLacks(nearest[0], holders, version) : describeAbsence(holders) };
}

function toPart({ id, name, members, shard, shards, address, readiness }: ShardNode): readonly IndexPart[] {
  return address === null || readiness === 'building' ? [] : [{ id, name, members, shard, shards, address }];
}

function countLacking(shards: number, set: readonly ShardNode[]): number {
  return shards - set.flatMap(toPart).length;
}

/** Says which parts of a set cannot be asked, and why. */
function describeLacks(shards: number, holders: readonly ShardNode[], version: string): string {
  const lacks = Array.from({ length: shards }, (_, index) => index + 1).flatMap((shard) => {
    const here = holders.filter((holder) => holder.shard === shard && holder.shards === shards);
    const own = here.find((holder) => holder.version === version);
    if (own && toPart(own).length > 0) return [];
    const reason = own
      ? `${own.name} is still building it`
      : here[0]
        ? `${here[0].name} has another version of the service`
        : 'no worker has reported that it holds it';
    return [`${formatIndexShard({ shard, shards })} (${reason})`];
  });
  return `the match index lacks part ${lacks.join(' and part ')}`;
}

function describeAbsence(holders: readonly ShardNode[]): string {
  return holders.length === 0
    ? 'no worker has reported that it holds a part of the match index'
    : 'all parts of the match index belong to another version of the service';
}

/** Why a part does not answer. */
export type PartFault = 'unauthenticated' | 'other_part' | 'other_version' | 'other_vectors' | 'building';

const faultWords: Readonly<Record<PartFault, string>> = {
  unauthenticated: 'it has another TESSERA_MASTER_KEY',
  other_part: 'it holds another part',
  other_version: 'it has another version of the service',
  other_vectors: 'it does not have the vectors of the current version yet',
  building: 'it is still being built',
};

const isFault = (code: string): code is PartFault => Object.hasOwn(faultWords, code);

/** Describes a part that did not answer: by its own code, or by what became of the request. */
export function describeFault(part: Pick<IndexPart, 'name' | 'shard' | 'shards'>, code: string): string {
  const words = isFault(code) ? faultWords[code] : `no answer (${code})`;
  return `part ${formatIndexShard(part)} of the match index at ${part.name} cannot be asked: ${words}`;
}

/** A part cannot answer a question. */
export class PartError extends Error {
  readonly code: PartFault;
  constructor(code: PartFault) {
    super(faultWords[code]);
    this.code = code;
  }
}
