import { executionAsyncResource } from 'node:async_hooks'

const kept: object[] = []

/**
 * Keeps one of the objects that `process.nextTick` allocates per call alive. If V8 collects garbage while there is none, it
 * drops their shape (hidden class) and permanently deoptimizes the code compiled for it: each of the several ticks of every
 * request would then cost five times as much, and a 304 of bare node:http a quarter more.
 */
export function keepTickShape(): void {
  process.nextTick(() => {
    if (kept.length === 0) kept.push(executionAsyncResource())
  })
}
