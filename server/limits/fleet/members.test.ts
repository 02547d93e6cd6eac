import { describe, expect, test } from 'vitest'
import { Members } from './members.ts'

function members() {
  const all = new Members({ goneAfterMs: 3_500, deafAfterMs: 2_000 })
  /** Registers a heartbeat of each, and returns the size after it. */
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
  test('are dropped after three and a half seconds of silence', () => {
    const { beat } = members()
    expect(beat(0, 'self', 'a', 'b')).toBe(3)
    expect(beat(1_000, 'self', 'a')).toBe(3)
    expect(beat(2_000, 'self', 'a')).toBe(3)
    expect(beat(3_000, 'self', 'a')).toBe(3)
    expect(beat(3_500, 'self', 'a')).toBe(3)
    expect(beat(3_501, 'self', 'a')).toBe(2)
  })

  test('keep their number while this process hears nothing, and get time to report afterwards', () => {
    const { beat } = members()
    expect(beat(0, 'self', 'a', 'b')).toBe(3)
    expect(beat(2_500)).toBe(3)
    expect(beat(60_000)).toBe(3)
    expect(beat(61_000, 'self', 'a')).toBe(3)
    expect(beat(62_500, 'self', 'a')).toBe(3)
    expect(beat(64_500, 'self', 'a')).toBe(3)
    expect(beat(64_501, 'self', 'a')).toBe(2)
  })

  test('have missed a message where the count of a member says so', () => {
    const { all } = members()
    const hear = (told: number, isTold = false) => all.hear('a', { told, isTold, now: 0 })
    // A new member may have published something before.
    expect([hear(2), hear(2), hear(3, true), hear(3), hear(4, true), hear(6, true), hear(6), hear(7)]).toEqual([
      ...[false, true, true, true, true, false, true, false],
    ])
    expect(all.hear('b', { told: 0, isTold: false, now: 0 })).toBe(true)
    expect(all.hear('c', { told: 1, isTold: true, now: 0 })).toBe(true)
  })

  test('are limited to a thousand, even if a client pretends to be more', () => {
    const { all, beat } = members()
    beat(0, ...Array.from({ length: 5_000 }, (_, i) => `${i}`))
    expect(all.size).toBe(1_001)
  })

  test('keep their last snapshot until they leave', () => {
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
