import { expect } from 'vitest'

const isAdded = Symbol.for('sluice.compare-bytes')

function areEqual(a: unknown, b: unknown): boolean | undefined {
  if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.constructor !== b.constructor) return undefined
  return Buffer.compare(a, b) === 0
}

// Vitest itself compares bytes one by one and makes a string of every index: a second of CPU for two megabytes. Files share
// processes, so this file runs many times in one.
if (!Reflect.has(globalThis, isAdded)) {
  Reflect.set(globalThis, isAdded, true)
  expect.addEqualityTesters([areEqual])
}
