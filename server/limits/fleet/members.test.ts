import { describe, expect, test } from 'vitest'
import { Members } from './members.ts'

function members() {
  const all = new Members({ goneAfterMs: 3_500, deafAfterMs: 2_000 })
  /** A sign of life of each, and how many there are after that. */
  const beat = (now: number, ...ids: string[]) => {
    for (const id of ids) {
      if (id === 'self') all.hearSelf(now)
      else all.hear(id, { told: 0, isTold: false, now })
    }
    all.dropSilent(now)
    return all.size
  }
  return { all, beat }
}

describe('members of a fleet', () => {
  test('are gone when they were silent for three and a half seconds', () => {
    const { beat } = members()
    expect(beat(0, 'self', 'a', 'b')).toBe(3)
    expect(beat(1_000, 'self', 'a')).toBe(3)
    expect(beat(2_000, 'self', 'a')).toBe(3)
    expect(beat(3_000, 'self', 'a')).toBe(3)
    expect(beat(3_500, 'self', 'a')).toBe(3)
    expect(beat(3_501, 'self', 'a')).toBe(2)
  })

  test('are as many as they were while nothing is heard, and have time to say something afterwards', () => {
    const { beat } = members()
    expect(beat(0, 'self', 'a', 'b')).toBe(3)
    expect(beat(2_500)).toBe(3)
    expect(beat(60_000)).toBe(3)
    expect(beat(61_000, 'self', 'a')).toBe(3)
    expect(beat(62_500, 'self', 'a')).toBe(3)
    expect(beat(64_500, 'self', 'a')).toBe(3)
    expect(beat(64_501, 'self', 'a')).toBe(2)
  })

  test('have told what their count says, or something was missed', () => {
    const { all } = members()
    const hear = (told: number, isTold = false) => all.hear('a', { told, isTold, now: 0 })
    // Who is new may have told something before.
    expect([hear(2), hear(2), hear(3, true), hear(3), hear(4, true), hear(6, true), hear(6), hear(7)]).toEqual([
      ...[false, true, true, true, true, false, true, false],
    ])
    expect(all.hear('b', { told: 0, isTold: false, now: 0 })).toBe(true)
    expect(all.hear('c', { told: 1, isTold: true, now: 0 })).toBe(true)
  })

  test('are no more than a thousand, whoever pretends to be one', () => {
    const { all, beat } = members()
    beat(0, ...Array.from({ length: 5_000 }, (_, i) => `${i}`))
    expect(all.size).toBe(1_001)
  })

  test('show what they said last, until they leave', () => {
    const { all, beat } = members()
    beat(0, 'a', 'b')
    all.show('a', 'first')
    all.show('a', 'second')
    all.show('unknown', 'nothing')
    expect(all.snapshots()).toEqual(['second'])
    all.leave('a')
    expect([all.size, all.snapshots()]).toEqual([2, []])
  })
})
