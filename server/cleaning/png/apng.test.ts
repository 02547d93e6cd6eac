import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pngOf } from '#testing/pictures.ts'
import { apngChunks, pictureStream, pngChunks } from '#testing/tainted-png.ts'
import { framesOfApng } from './apng.ts'

const second = { x: 3, y: 2, width: 4, height: 5, delay: [1, 0], dispose: 2, blend: 1, seed: 9 } as const
const options = { kind: [3, 4], transparent: true, chunkBytes: 20, loop: 3 } as const

test('each frame is a file of its own', async () => {
  const { frames, ...animation } = framesOfApng(pngOf(apngChunks([{ delay: [7, 25] }, second], options)))
  expect(animation).toEqual({ width: 8, height: 8, loop: 3 })
  expect(frames.map(({ png, ...control }) => control)).toEqual([
    { x: 0, y: 0, width: 8, height: 8, delayMs: 280, dispose: 0, blend: 0 },
    { x: 3, y: 2, width: 4, height: 5, delayMs: 10, dispose: 2, blend: 1 },
  ])
  const [first, other] = frames.map(({ png }) => png)
  const chunkBytes = 10_000
  expect(first).toEqual(pngOf(pngChunks({ ...options, chunkBytes })))
  expect(other).toEqual(pngOf(pngChunks({ ...options, width: 4, height: 5, seed: 9, chunkBytes })))
  expect((await sharp(other).metadata()).hasAlpha).toBe(true)
})

test('a default image apart from the animation is left out', () => {
  const { frames } = framesOfApng(pngOf(apngChunks([second], { apart: true })))
  expect(frames).toHaveLength(1)
  expect(frames[0]?.png.includes(pictureStream({ width: 4, height: 5, seed: 9 }))).toBe(true)
})

test('a still picture has no frames', () => {
  expect(framesOfApng(pngOf(pngChunks())).frames).toEqual([])
})
