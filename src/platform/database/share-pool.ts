import { AsyncLocalStorage } from 'node:async_hooks';
import { createBoundedRunner } from '#lib/concurrency/bounded-runner.ts';
import { createFairGate } from '#lib/concurrency/fair-gate.ts';
import { Refusal } from '#lib/refusal.ts';
import { isOccupied } from '#platform/database/errors.ts';

/** The use that one request, or one run of a background task, makes of the database. */
export type DatabaseUse = {
  /** For whom it is. It may become more exact while the request runs. */
  key: string;
  /** What the request holds while it uses connections. */
  place: Place | undefined;
  /** Whether it has held a place before. */
  hasBegun: boolean;
};

type Place = { readonly taken: Promise<void>; readonly release: () => void; connections: number };

/** Begins a use of the database. */
export function createUse(key: string): DatabaseUse {
  return { key, place: undefined, hasBegun: false };
}

/** The key of what belongs to no caller. Callers are named otherwise. */
const background_key = 'background tasks';

export type PoolShares = {
  /** Runs work as part of a use. What belongs to none, such as a look at the health of the service, needs no place. */
  runInUse<Result>(use: DatabaseUse, work: () => Result): Result;
  /** Runs work that belongs to no request, and waits for its place and its connection as long as it takes. */
  runInBackground<Result>(work: () => Result): Result;
  /**
   * Does something with a connection, once the use has a place.
   *
   * @throws Refusal `overloaded` if it has waited for too long.
   */
  withPlace<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Takes a place that is not one of the caller's own, for a connection that is held for long.
   *
   * @returns a function that gives it back.
   * @throws Refusal `overloaded` if it has waited for too long.
   */
  takePlaceApart(): Promise<() => void>;
  countWaiting(): number;
};

const share = 1 / 4;
/** Of what is held for long, because a client may receive it as slowly as it likes: the rest is for requests. */
const share_apart = 1 / 2;
/** Of all background tasks together: with everything that is held for long, requests still have a sixth. */
const share_background = 1 / 3;

/**
 * Shares the connections of a pool between callers. They take turns, and each holds at most a quarter of the connections, so that one who fills
 * the rest of the pool with slow requests does not make others wait. A request that holds a connection gets further ones without a place,
 * because it could otherwise wait for itself. What is held for long has at most half of them, and background tasks, however many run, a third.
 */
export function sharePool(connections_max: number, wait_ms?: number): PoolShares {
  const uses = new AsyncLocalStorage<DatabaseUse>();
  const places_each = Math.ceil(connections_max * share);
  const limits = { waiting_max: Infinity, burst_wait_ms: wait_ms };
  const gate = createFairGate({ places: connections_max, places_each, ...limits });
  const places_apart = Math.max(1, Math.floor(connections_max * share_apart));
  // All but one, so that what a caller holds for long leaves a place to the next one.
  const each_apart = Math.max(1, places_apart - 1);
  const gateApart = createFairGate({ places: places_apart, places_each: each_apart, ...limits });
  let apart = 0;
  const takeBackgroundPlace = shareInBackground(Math.max(1, Math.floor(connections_max * share_background)));

  const takePlace = (key: string, isReturning: boolean, from = gate) =>
    new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new Refusal('overloaded', { headers: { 'retry-after': '1' } }));
      from.enter(key, resolve, refuse, isReturning);
    });

  const beginPlace = ({ key, hasBegun }: DatabaseUse): Place =>
    key === background_key
      ? { ...takeBackgroundPlace(), connections: 0 }
      : { taken: takePlace(key, hasBegun), release: () => gate.leave(key), connections: 0 };

  const enterPlace = async (use: DatabaseUse): Promise<Place> => {
    const place = (use.place ??= beginPlace(use));
    place.connections++;
    try {
      await place.taken;
    } catch (error) {
      if (use.place === place) use.place = undefined;
      throw error;
    }
    use.hasBegun = true;
    return place;
  };

  const leavePlace = (use: DatabaseUse, place: Place) => {
    if (--place.connections > 0) return;
    use.place = undefined;
    place.release();
  };

  return {
    runInUse: (use, work) => uses.run(use, work),
    runInBackground: (work) => uses.run(createUse(background_key), work),
    withPlace: async (work) => {
      const use = uses.getStore();
      if (use === undefined) return work();
      const place = await enterPlace(use);
      try {
        return await (use.key === background_key ? workWhenConnected(work) : work());
      } finally {
        leavePlace(use, place);
      }
    },
    takePlaceApart: async () => {
      const use = uses.getStore();
      if (use === undefined || use.key === background_key) return () => undefined;
      const { key } = use;
      await takePlace(key, false, gateApart);
      const leaveApart = () => gateApart.leave(key);
      // A line of its own: it is not one of the caller's places for requests.
      const line = `apart ${++apart}`;
      await takePlace(line, false).catch((error: unknown) => {
        leaveApart();
        throw error;
      });
      return () => {
        gate.leave(line);
        leaveApart();
      };
    },
    countWaiting: () => gate.countWaiting() + gateApart.countWaiting(),
  };
}

/** Does work, and asks again for as long as requests hold all connections of the pool: nobody waits for a reply. */
async function workWhenConnected<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isOccupied(error)) throw error;
    }
}

/** Creates the function by which background tasks take places, in the order in which they ask. */
function shareInBackground(places: number): () => Pick<Place, 'taken' | 'release'> {
  const runInTurn = createBoundedRunner(places);
  return () => {
    const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    void runInTurn(() => {
      taken.resolve();
      return released.promise;
    });
    return { taken: taken.promise, release: released.resolve };
  };
}
