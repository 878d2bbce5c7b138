import type { Platform } from '#platform/platform.ts';

/**
 * A value that lives as long as one running service: made when it is first asked for, and shared by everything that works on the same
 * database connection. Several services in one process, as in tests, each have their own.
 */
export function instanceMemory<Value>(make: (platform: Platform) => Value): (platform: Platform) => Value {
  const values = new WeakMap<Platform['database'], Value & object>();
  return (platform) => {
    const known = values.get(platform.database);
    if (known !== undefined) return known;
    const made = make(platform) as Value & object;
    values.set(platform.database, made);
    return made;
  };
}
