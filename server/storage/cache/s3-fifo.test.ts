import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { originalKey } from '../object-store.ts'
import { CacheIndex } from './cache-index.ts'
import { openIndexFile } from './index-file.ts'

interface Cached {
  readonly name: string
  readonly size: number
  frequency: number
}

/** Algorithm 1 of the paper, literally, over arrays, except that it stops once there is room. The paper's head is the
 *  end, its tail the beginning. */
class Model {
  readonly small: Cached[] = []
  readonly main: Cached[] = []
  readonly ghosts: Cached[] = []
  readonly #capacity: number

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Returns whether it was a hit. */
  read(name: string, size: number): boolean {
    const found = [...this.small, ...this.main].find((cached) => cached.name === name)
    if (found) found.frequency = Math.min(found.frequency + 1, 3)
    else if (size <= this.#capacity) this.#insert(name, size)
    return found !== undefined
  }

  #insert(name: string, size: number): void {
    const hasRoom = () => bytesOf(this.small) + bytesOf(this.main) + size <= this.#capacity
    while (!hasRoom()) this.#evict(hasRoom)
    const ghost = this.ghosts.findIndex((cached) => cached.name === name)
    if (ghost >= 0) this.ghosts.splice(ghost, 1)
    const queue = ghost >= 0 ? this.main : this.small
    queue.push({ name, size, frequency: 0 })
  }

  #evict(hasRoom: () => boolean): void {
    const isSmallFull = bytesOf(this.small) >= 0.1 * this.#capacity
    if ((isSmallFull && this.small.length > 0) || this.main.length === 0) this.#evictFromSmall(hasRoom)
    else this.#evictFromMain()
  }

  #evictFromSmall(hasRoom: () => boolean): void {
    let isEvicted = false
    while (!isEvicted && this.small.length > 0) {
      const [tail] = this.small.splice(0, 1)
      if (!tail) return
      if (tail.frequency > 1) {
        this.main.push({ ...tail, frequency: 0 })
        if (bytesOf(this.main) > 0.9 * this.#capacity) this.#evictFromMain()
        if (hasRoom()) return
      } else {
        this.ghosts.push(tail)
        while (bytesOf(this.ghosts) > 0.9 * this.#capacity) this.ghosts.shift()
        isEvicted = true
      }
    }
    if (!isEvicted) this.#evictFromMain()
  }

  #evictFromMain(): void {
    for (;;) {
      const tail = this.main.shift()
      if (!tail || tail.frequency === 0) return
      this.main.push({ ...tail, frequency: tail.frequency - 1 })
    }
  }
}

const bytesOf = (queue: readonly Cached[]): number => queue.reduce((sum, { size }) => sum + size, 0)

const keyOf = (name: string) => originalKey(createHash('sha256').update(name).digest('hex'))

/** The index as the cache uses it, one read at a time. `removed` lists copies whose files were removed. */
function makeIndex(capacity: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-index-'))
  const db = openIndexFile(folder)
  const names = new Map<number, string>()
  const removeFile = (id: number) => names.delete(id)
  const index = new CacheIndex({ db, capacity, self: 'me', now: () => 0, hasEnded: () => false, removeFile })
  const queue = (name: string) => {
    const rows = db.prepare('SELECT id, size, frequency FROM object WHERE queue = ? ORDER BY place').all(name)
    return rows.map(({ id, size, frequency }) => ({ name: names.get(Number(id)), size, frequency }))
  }
  return {
    queue,
    index,
    ghosts: () =>
      db
        .prepare('SELECT size FROM ghost ORDER BY place')
        .all()
        .map(({ size }) => size),
    read(name: string, size: number): boolean {
      const found = index.find(keyOf(name))
      if (found) {
        index.countHit(found.id)
        return true
      }
      const id = index.claim(keyOf(name))
      if (id === null) throw new Error('Claimed already')
      names.set(id, name)
      let outcome = index.reserve(id, size)
      while (outcome === 'more') outcome = index.reserve(id, size)
      if (outcome === 'refused') index.remove(id)
      else expect(index.commit(id)).toBe(true)
      return false
    },
    [Symbol.dispose]() {
      index.close()
      rmSync(folder, { recursive: true })
    },
  }
}

test('evicts what the paper evicts, for any reads', () => {
  const names = 'abcdefghijklmnopqrst'
  // A name always has the same size.
  const reads = fc.array(fc.nat(names.length - 1), { minLength: 1, maxLength: 120 })
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: names.length, maxLength: names.length })
  const sizesOfOne = names.split('').map((name) => ({ f: 40, p: 35 })[name] ?? 1)
  fc.assert(
    fc.property(reads, sizes, fc.integer({ min: 10, max: 150 }), (order, sizesOf, capacity) => {
      using under = makeIndex(capacity)
      const model = new Model(capacity)
      for (const at of order) {
        const [name = '', size = 1] = [names[at], sizesOf[at]]
        // An object larger than the capacity would empty the cache before it is refused; the cache never asks for that.
        if (size > capacity) continue
        expect(under.read(name, size)).toBe(model.read(name, size))
        under.index.flush()
        expect(under.queue('small')).toEqual(model.small)
        expect(under.queue('main')).toEqual(model.main)
        expect(under.ghosts()).toEqual(model.ghosts.map((ghost) => ghost.size))
        const kept = [...model.small, ...model.main]
        expect(under.index.figures()).toMatchObject({ bytes: bytesOf(kept), objects: kept.length })
        expect(bytesOf(kept)).toBeLessThanOrEqual(capacity)
      }
    }),
    // An object that moves to a full main queue evicts one there, which is room enough; the next read finds the queues
    // like that. In the second, the only object is in small, and was read three times.
    {
      numRuns: 60,
      examples: [
        [[15, 5, 5, 5, 15, 15, 0, 1, 15, 2, 15, 3], sizesOfOne, 75],
        [[3, 3, 3, 0], names.split('').map((name) => ({ a: 38, d: 4 })[name] ?? 1), 41],
      ],
    },
  )
})

test('evicts what was read once, keeps what was read three times, and readmits what returns soon to main', () => {
  using under = makeIndex(100)
  for (const name of ['hot', 'hot', 'hot']) under.read(name, 5)
  for (let at = 0; at < 30; at += 1) under.read(`once ${at}`, 5)
  expect(under.queue('main')).toEqual([{ name: 'hot', size: 5, frequency: 0 }])
  expect(under.read('hot', 5)).toBe(true)
  under.read('once 9', 5)
  expect(under.queue('main').map(({ name }) => name)).toEqual(['hot', 'once 9'])
})

test('evicts the oldest of main when it exceeds its share, and nothing new', () => {
  using under = makeIndex(100)
  for (const name of ['large', 'large', 'large']) under.read(name, 80)
  for (const name of ['second', 'second', 'second']) under.read(name, 12)
  under.read('new', 5)
  under.read('newer', 10)
  expect(under.queue('main')).toEqual([{ name: 'second', size: 12, frequency: 0 }])
  expect(under.queue('small').map(({ name }) => name)).toEqual(['new', 'newer'])
})

test('splits a long eviction into parts, with other work in between', () => {
  using under = makeIndex(1_000)
  for (let at = 0; at < 200; at += 1) under.read(String(at), 5)
  const id = under.index.claim(keyOf('large'))
  if (id === null) return expect.unreachable()
  const outcomes: string[] = []
  do outcomes.push(under.index.reserve(id, 900))
  while (outcomes.at(-1) === 'more')
  expect(outcomes).toEqual([...Array(5).fill('more'), 'reserved'])
  expect(under.index.figures()).toMatchObject({ bytes: 1_000, objects: 20 })
})
