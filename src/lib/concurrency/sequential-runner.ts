export type SequentialRunner = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Creates a function that runs asynchronous work one after the other. Work runs even if the work before it has failed. */
export function createSequentialRunner(): SequentialRunner {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
}
