import { expect, test } from 'vitest'
import { nonceOf } from './nonce.ts'

test('reads the nonce of a policy', () => {
  expect(nonceOf("default-src 'self'; script-src 'nonce-Zm9v+/=' 'strict-dynamic'")).toBe('Zm9v+/=')
})

test('a policy without a nonce, and none at all, have none', () => {
  expect(nonceOf("default-src 'self'")).toBeUndefined()
  expect(nonceOf(null)).toBeUndefined()
})
