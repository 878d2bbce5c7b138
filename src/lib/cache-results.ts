/**
 * Returns a function that computes a value on its first call and then returns the same value. `compute` depends on nothing that changes. A
 * promise that is rejected is not stored, so the next call tries again.
 */
export function computeOnce<Value>(compute: () => Value): () => Value {
  let stored: { readonly value: Value } | undefined;
  return () => {
    if (stored) return stored.value;
    const current = { value: compute() };
    stored = current;
    if (current.value instanceof Promise)
      current.value.catch(() => {
        if (stored === current) stored = undefined;
      });
    return current.value;
  };
}

/** Returns a function that stores its last `results_max` results by their key. `compute` is pure: its result depends only on the key. */
export function cacheResults<Value>(
  results_max: number,
  compute: (key: string) => Value,
): (key: string) => Value {
  const results = new Map<string, Value>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    const value = compute(key);
    // A Map lists its keys in the order in which they were added.
    if (results.size >= results_max) results.delete(results.keys().next().value ?? key);
    results.set(key, value);
    return value;
  };
}

/** Returns a function that stores its result for each object for as long as the object exists. `compute` is pure, and the object never changes. */
export function cacheByObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const results = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = results.get(key);
    if (known) return known.value;
    const value = compute(key);
    results.set(key, { value });
    return value;
  };
}
