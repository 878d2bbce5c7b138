export type BoundedRunner = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a function that runs asynchronous work, at most `places` at a time. The rest waits in the order in which it came. Work that fails gives
 * its place to the next like any other.
 */
export function createBoundedRunner(places: number): BoundedRunner {
  let free = places;
  // Appending and taking from the front of a `Set` are both fast, however many wait.
  const waiting = new Set<() => void>();
  const enter = async () => {
    if (free > 0) {
      free--;
      return;
    }
    await new Promise<void>((resolve) => void waiting.add(resolve));
  };
  const leave = () => {
    const [next] = waiting;
    if (!next) {
      free++;
      return;
    }
    // The place passes on directly, so that nothing that comes later can take it first.
    waiting.delete(next);
    next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
