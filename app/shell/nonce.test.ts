import { expect, test } from 'vitest'
import { nonceOf } from './nonce.ts'

test('reads the nonce from a policy', () => {
  expect(nonceOf("default-src 'self'; script-src 'nonce-Zm9v+/=' 'strict-dynamic'")).toBe('Zm9v+/=')
})

test('returns undefined without a nonce or a policy', () => {
  expect(nonceOf("default-src 'self'")).toBeUndefined()
  expect(nonceOf(null)).toBeUndefined()
})
