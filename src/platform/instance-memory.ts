import type { Memory, Platform } from '#platform/platform.ts';

/** Opens the memory of one service. `getPlatform` is called only when a value is created. */
export function openMemory(getPlatform: () => Platform): Memory {
  const values = new Map<object, unknown>();
  return {
    get: <Value>(create: (platform: Platform) => Value) => {
      if (!values.has(create)) values.set(create, create(getPlatform()));
      // Each value is stored under the function that created it.
      return values.get(create) as Value;
    },
    close: async () => {
      for (const value of values.values()) if (isDisposable(value)) await value[Symbol.asyncDispose]();
    },
  };
}

function isDisposable(value: unknown): value is AsyncDisposable {
  return typeof value === 'object' && value !== null && Symbol.asyncDispose in value;
}

/**
 * Defines a value that lives as long as one running service. It is created when it is first needed, shared by all requests and tasks of
 * that service, and disposed with it if it is an `AsyncDisposable`. Several services in one process, as in tests, each have their own.
 */
export function instanceMemory<Value>(
  create: (platform: Platform) => Value,
): (services: { readonly memory: Memory }) => Value {
  return ({ memory }) => memory.get(create);
}

/**
 * The service's database, for work that must commit even if the request fails, such as counting a wrong password. Operations use
 * `context.transaction` instead, so that an Idempotency-Key covers everything they write; `tidy` refuses this import there.
 */
export const serviceDatabase = instanceMemory((platform) => platform.database);
