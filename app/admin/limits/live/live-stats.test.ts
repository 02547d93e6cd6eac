import { expect, test } from 'vitest'
import { chooseLiveState } from './live-stats.tsx'

const query = { isSuccess: true, isPaused: false, failureCount: 0, error: null }
const signedOut = Object.assign(new Error('Sign in first.'), { data: { code: 'UNAUTHORIZED' } })
const connection = { isVisible: true, isStreaming: false, isLost: false, query }

test('derives how the figures arrive', () => {
  expect([
    chooseLiveState({ ...connection, isStreaming: true }),
    chooseLiveState({ ...connection, isVisible: false, isStreaming: true }),
    chooseLiveState(connection),
    chooseLiveState({ ...connection, isLost: true }),
    chooseLiveState({ ...connection, query: { ...query, isSuccess: false } }),
    chooseLiveState({ ...connection, query: { ...query, failureCount: 1 } }),
    chooseLiveState({ ...connection, query: { ...query, isPaused: true } }),
    chooseLiveState({ ...connection, query: { ...query, isSuccess: false, error: signedOut } }),
  ]).toEqual(['live', 'paused', 'polling', 'reconnecting', 'connecting', 'reconnecting', 'reconnecting', 'signedOut'])
})
