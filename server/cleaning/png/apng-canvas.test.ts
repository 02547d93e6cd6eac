import { expect, test } from 'vitest'
import { ApngCanvas } from './apng-canvas.ts'

const [red, green, half, clear] = [0xff0000ff, 0x00ff00ff, 0x0000ff80, 0x00000000] as const
const SOURCE = 0
const OVER = 1
const NONE = 0
const BACKGROUND = 1
const PREVIOUS = 2

/** Draws frames of one row on a canvas of three pixels. */
function shown(
  ...frames: readonly { x?: number; pixels: readonly number[]; dispose?: number; blend?: number }[]
): number[][] {
  const canvas = new ApngCanvas(3, 1)
  return frames.map(({ x = 0, pixels, dispose = NONE, blend = SOURCE }) => {
    const rgba = Buffer.alloc(pixels.length * 4)
    for (const [index, pixel] of pixels.entries()) rgba.writeUInt32BE(pixel, index * 4)
    const drawn = canvas.draw({ x, y: 0, width: pixels.length, height: 1, delayMs: 0, dispose, blend }, rgba)
    return [0, 4, 8].map((at) => drawn.readUInt32BE(at))
  })
}

test('keeps a frame without disposal', () => {
  expect(shown({ pixels: [red, red, red] }, { x: 1, pixels: [green] })).toEqual([
    [red, red, red],
    [red, green, red],
  ])
})

test('clears a frame disposed to the background', () => {
  expect(shown({ pixels: [red, red, red], dispose: BACKGROUND }, { x: 1, pixels: [green] })[1]).toEqual([
    clear,
    green,
    clear,
  ])
})

test('restores the canvas under a frame disposed to previous', () => {
  const frames = shown(
    { pixels: [red, red, red] },
    { pixels: [green, green], dispose: PREVIOUS },
    { x: 2, pixels: [green] },
  )
  expect(frames[1]).toEqual([green, green, red])
  expect(frames[2]).toEqual([red, red, green])
})

test('starts with an empty canvas', () => {
  expect(shown({ pixels: [red, red, red], dispose: PREVIOUS }, { x: 1, pixels: [green] })[1]).toEqual([
    clear,
    green,
    clear,
  ])
})

test('replaces pixels including transparency', () => {
  expect(shown({ pixels: [red, red, red] }, { pixels: [clear, half] })[1]).toEqual([clear, half, red])
})

test('shows the canvas through transparent pixels when blending', () => {
  const over = shown({ pixels: [red, red, clear] }, { pixels: [clear, half, half], blend: OVER })[1]
  expect(over).toEqual([red, 0x7f0080ff, half])
})

test('blends half-transparent pixels by their alpha', () => {
  expect(shown({ pixels: [0xff000080, clear, clear] }, { pixels: [half], blend: OVER })[1]?.[0]).toBe(0x5400aabf)
})
