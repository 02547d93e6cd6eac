import { expect, test } from 'vitest'
import { stateOf } from './use-live-stats.ts'

const query = { isSuccess: true, isPaused: false, failureCount: 0, error: null }
const signedOut = Object.assign(new Error('Sign in first.'), { data: { code: 'UNAUTHORIZED' } })
const connection = { isVisible: true, isStreaming: false, isLost: false, query }

test('derives how the figures arrive', () => {
  expect([
    stateOf({ ...connection, isStreaming: true }),
    stateOf({ ...connection, isVisible: false, isStreaming: true }),
    stateOf(connection),
    stateOf({ ...connection, isLost: true }),
    stateOf({ ...connection, query: { ...query, isSuccess: false } }),
    stateOf({ ...connection, query: { ...query, failureCount: 1 } }),
    stateOf({ ...connection, query: { ...query, isPaused: true } }),
    stateOf({ ...connection, query: { ...query, isSuccess: false, error: signedOut } }),
  ]).toEqual(['live', 'paused', 'polling', 'reconnecting', 'connecting', 'reconnecting', 'reconnecting', 'signedOut'])
})
