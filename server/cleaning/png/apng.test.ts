import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makePng } from '#testing/images/pictures.ts'
import { apngChunks, pictureStream, pngChunks } from '#testing/images/tainted-png.ts'
import { readApngFrames } from './apng.ts'

const second = { x: 3, y: 2, width: 4, height: 5, delay: [1, 0], dispose: 2, blend: 1, seed: 9 } as const
const options = { kind: [3, 4], transparent: true, chunkBytes: 20, loop: 3 } as const

test('makes a file of each frame', async () => {
  const { frames, ...animation } = readApngFrames(makePng(apngChunks([{ delay: [7, 25] }, second], options)))
  expect(animation).toEqual({ width: 8, height: 8, loop: 3 })
  expect(frames.map(({ png, ...control }) => control)).toEqual([
    { x: 0, y: 0, width: 8, height: 8, delayMs: 280, dispose: 0, blend: 0 },
    { x: 3, y: 2, width: 4, height: 5, delayMs: 10, dispose: 2, blend: 1 },
  ])
  const [first, other] = frames.map(({ png }) => png)
  const chunkBytes = 10_000
  expect(first).toEqual(makePng(pngChunks({ ...options, chunkBytes })))
  expect(other).toEqual(makePng(pngChunks({ ...options, width: 4, height: 5, seed: 9, chunkBytes })))
  expect((await sharp(other).metadata()).hasAlpha).toBe(true)
})

test('leaves out a default image that is not part of the animation', () => {
  const { frames } = readApngFrames(makePng(apngChunks([second], { apart: true })))
  expect(frames).toHaveLength(1)
  expect(frames[0]?.png.includes(pictureStream({ width: 4, height: 5, seed: 9 }))).toBe(true)
})

test('returns no frames for a still picture', () => {
  expect(readApngFrames(makePng(pngChunks())).frames).toEqual([])
})
