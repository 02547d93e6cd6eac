import { expect, test } from 'vitest'
import { z } from 'zod'
import { cursorInput, encodeCursor } from './cursor.ts'

const input = cursorInput(z.uuid())
const position = { at: new Date('2026-01-02T03:04:05.678Z'), id: '01234567-89ab-4def-8123-456789abcdef' }

test('a cursor decodes to the position it encodes', () => {
  expect(input.parse(encodeCursor(position))).toEqual(position)
})

test.each([
  '',
  'x',
  encodeCursor(position).slice(0, -1),
  `${encodeCursor(position)}AAAA`,
  Buffer.from('2026-01-02T03:04:05.678Z').toString('base64url'),
  Buffer.from("2026-01-02T03:04:05.678Z ' OR 1=1").toString('base64url'),
  ...['9999999', '0000-01-01T00:00:00.000Z', '1969-12-31T23:59:59.999Z', '+010000-01-01T00:00:00.000Z'].map((text) =>
    Buffer.from(`${text} ${position.id}`).toString('base64url'),
  ),
  'a'.repeat(5_000),
])('%j is not a cursor', (text) => {
  expect(input.safeParse(text).success).toBe(false)
})
