import { describe, expect, test } from 'vitest'
import { batched, decodeMessage, encodeMessage, type FleetMessage } from './fleet-message.ts'

const said = { from: 'ann', told: 3 }

describe('fleet messages', () => {
  test.each<FleetMessage>([
    { kind: 'here', ...said, snapshot: '{"rows":[]}' },
    { kind: 'told', ...said, messages: [{ topic: 'overrides', message: '' }] },
    { kind: 'gone', ...said },
  ])('a $kind message is decoded as it was encoded', (message) => {
    expect(decodeMessage(encodeMessage(message))).toEqual(message)
  })

  test.each<[string, unknown]>([
    ['no version', { kind: 'here', ...said }],
    ['an unknown kind', { version: 1, kind: 'lost', ...said }],
    ['no sender', { version: 1, kind: 'here', from: '', told: 0 }],
    ['half a count', { version: 1, kind: 'here', from: 'ann', told: 0.5 }],
  ])('is none with %s', (_, value) => {
    expect(decodeMessage(JSON.stringify(value))).toBeNull()
  })

  test('a message of another version counts its sender as alive, and none of its content is used', () => {
    const newer = { version: 2, ...said, snapshot: 'new', messages: [{ topic: 'overrides', message: 'new' }] }
    const read = (kind: string) => decodeMessage(JSON.stringify({ ...newer, kind }))
    expect(read('here')).toEqual({ kind: 'here', ...said, snapshot: null })
    expect(read('told')).toEqual({ kind: 'told', ...said, messages: null })
    expect(read('gone')).toEqual({ kind: 'gone', ...said })
  })

  test('a message of this version with contents of another shape is treated alike', () => {
    const read = decodeMessage(JSON.stringify({ version: 1, kind: 'told', ...said, messages: [{ topic: 1 }] }))
    expect(read).toEqual({ kind: 'told', ...said, messages: null })
  })

  test('a snapshot that is too long is neither sent nor read', () => {
    const message = { kind: 'here', ...said, snapshot: 'x'.repeat(1_000_000) } as const
    expect(decodeMessage(encodeMessage(message))).toEqual({ ...message, snapshot: null })
    expect(decodeMessage(JSON.stringify({ version: 1, ...message }))).toBeNull()
  })
})

test('topic messages of one turn are batched, up to 100,000 characters', () => {
  const messages = Array.from({ length: 30 }, (_, i) => ({
    topic: 'ten letter',
    message: String(i).padStart(9_990, '0'),
  }))
  expect(batched(messages).map(({ length }) => length)).toEqual([10, 10, 10])
  expect(batched(messages).flat()).toEqual(messages)
  const long = { topic: 'a', message: 'x'.repeat(200_000) }
  expect(batched([long, long])).toEqual([[long], [long]])
  expect(batched([])).toEqual([])
})
