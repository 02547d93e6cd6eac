import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { upload } from '#messages/en/upload.ts'
import { describeProblem } from './problem-text.tsx'

const t = createTranslator({ locale: 'en', messages: { upload }, namespace: 'upload' })

test.each([
  [2048, 1024, 'The file is too large: 2 KiB. The limit is 1 KiB.'],
  [10_241, 10_240, 'The file is too large: 10,241 B. The limit is 10,240 B.'],
])('shows sizes that would read alike to the byte: %i over %i', (size, limit, expected) => {
  expect(describeProblem({ code: 'tooLarge', size, limit }, size, t, formatsFor('en'))).toBe(expected)
})

test('shows the size of a file that exceeds the quota', () => {
  expect(describeProblem({ code: 'full' }, 2048, t, formatsFor('en'))).toBe('Not enough storage for this file (2 KiB).')
})
