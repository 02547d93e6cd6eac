import type { Charge } from '#server/limits/store.ts'

/** A charge as a test writes it: rules as [limit, window in milliseconds]. */
export function charge(key: string, rules: readonly (readonly [number, number])[], cost = 1): Charge {
  return {
    key,
    ruleSet: 'test',
    algorithm: 'sliding-window-log',
    rules: rules.map(([limit, windowMs]) => ({ policy: `test-${windowMs}`, limit, windowMs })),
    cost,
    onStoreFailure: 'local',
  }
}
