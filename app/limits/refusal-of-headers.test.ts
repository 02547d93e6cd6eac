import { expect, test } from 'vitest'
import { refusalOfHeaders } from './refusal-of-headers.ts'

test('reads the wait and the rule', () => {
  const headers = new Headers({
    'retry-after': '12',
    ratelimit: '"view-1s";r=3;t=1, "view-1m";r=0;t=12',
    'ratelimit-policy': '"view-1s";q=30;w=1, "view-1m";q=600;w=60',
  })
  expect(refusalOfHeaders(headers, 1000)).toEqual({
    ruleSet: 'view',
    rule: { limit: 600, unit: 'calls', window: 60_000 },
    waitMs: 12_000,
    until: 13_000,
  })
})

test('reads a rule of bytes', () => {
  const headers = new Headers({
    ratelimit: '"sent-bytes-1d";r=0;t=60',
    'ratelimit-policy': '"sent-bytes-1d";q=1048576;qu="content-bytes";w=86400',
  })
  expect(refusalOfHeaders(headers).rule).toEqual({ limit: 1_048_576, unit: 'bytes', window: 86_400_000 })
})

test('waits five seconds without headers', () => {
  expect(refusalOfHeaders(new Headers(), 0)).toEqual({
    ruleSet: 'view',
    rule: 'unknown',
    waitMs: 5000,
    until: 5000,
  })
})
