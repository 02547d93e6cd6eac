import { executionAsyncResource } from 'node:async_hooks'

const kept: object[] = []

/**
 * Keeps one object of the kind that `process.nextTick` makes for each of its calls. V8 forgets the shape of those when it
 * collects garbage while none is there, and takes whatever it has compiled for them as void for ever: each of the several
 * ticks of every request would then cost five times as much.
 */
export function keepTickShape(): void {
  process.nextTick(() => {
    if (kept.length === 0) kept.push(executionAsyncResource())
  })
}
