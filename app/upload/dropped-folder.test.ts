import { expect, test } from 'vitest'
import { imagesToFile, nameFolder } from './dropped-folder.ts'
import { type Event, emptyQueue, type QueuedUpload, reduceQueue } from './upload-queue.ts'

const upload = (id: string): QueuedUpload => ({ id, file: new File(['x'], id), progress: { state: 'waiting' } })
const done = (id: string, image = id): Event => ({
  type: 'done',
  id,
  image: { id: `image of ${image}`, slug: id, url: id, thumbnailUrl: id, isNew: true, removed: [], isConverted: false },
})
const nothing = new Set<string>()

test('images are added once all of a folder have arrived, without those of other drops', () => {
  const [a, b, other] = [upload('a'), upload('b'), upload('other')]
  const folder = { name: 'Holiday', files: new Set([a.file, b.file]) }
  const half = [{ type: 'added', uploads: [a, b, other] } as const, done('a'), done('other')].reduce(
    reduceQueue,
    emptyQueue,
  )
  expect(imagesToFile(half, folder, nothing)).toEqual({ ready: [], isComplete: false })
  const whole = reduceQueue(half, done('b'))
  expect(imagesToFile(whole, folder, nothing)).toEqual({ ready: ['image of a', 'image of b'], isComplete: false })
  expect(imagesToFile(whole, folder, new Set(['image of a', 'image of b']))).toEqual({ ready: [], isComplete: true })
})

test('what failed or is paused does not keep the others waiting, and a repeat is added once', () => {
  const [a, b, c] = [upload('a'), upload('b'), upload('c')]
  const folder = { name: 'Holiday', files: new Set([a.file, b.file, c.file]) }
  const queue = [
    { type: 'added', uploads: [a, b, c] } as const,
    done('a'),
    done('b', 'a'),
    { type: 'paused', id: 'c' } as const,
  ].reduce(reduceQueue, emptyQueue)
  expect(imagesToFile(queue, folder, nothing).ready).toEqual(['image of a'])
  expect(imagesToFile(reduceQueue(queue, done('c')), folder, new Set(['image of a'])).ready).toEqual(['image of c'])
})

test('a full call is added before all have arrived', () => {
  const uploads = Array.from({ length: 102 }, (_, at) => upload(`${at}`))
  const folder = { name: 'Holiday', files: new Set(uploads.map(({ file }) => file)) }
  const queue = [{ type: 'added', uploads } as const, ...uploads.slice(0, 101).map(({ id }) => done(id))].reduce(
    reduceQueue,
    emptyQueue,
  )
  expect(imagesToFile(queue, folder, nothing).ready).toHaveLength(100)
})

test('a long name is cut between characters', () => {
  expect(nameFolder(` ${'🏔'.repeat(201)} `)).toBe('🏔'.repeat(200))
})
