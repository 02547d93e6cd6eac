import { expect, test } from 'vitest'
import { chooseSource, isSharperAsOriginal, movesCheaply } from './renditions.ts'

const url = 'https://images.example.org/i/abc.gif'
const variant = (w: number, width = w, moves = false) => ({ url: `${url}?w=${w}`, width, height: width, moves })
const still = (width: number, ...variants: ReturnType<typeof variant>[]) => ({ url, width, frames: 1, variants })
const animation = (width: number, ...variants: ReturnType<typeof variant>[]) => ({ url, width, frames: 9, variants })

test('offers an image in all its sizes', () => {
  expect(chooseSource(still(4000, variant(400), variant(800), variant(1600)), 'tile', false)).toEqual({
    src: '/i/abc.gif?w=400',
    srcSet: '/i/abc.gif?w=400 400w, /i/abc.gif?w=800 800w, /i/abc.gif?w=1600 1600w',
    freezes: false,
  })
})

test('adds nothing if the largest variant has the full size', () => {
  expect(chooseSource(still(600, variant(400), variant(800, 600)), 'page', false)?.srcSet).toBe(
    '/i/abc.gif?w=400 400w, /i/abc.gif?w=800 600w',
  )
})

test('leaves out what is still being made', () => {
  expect(chooseSource({ ...still(2000, variant(400)), variantsAwaited: true }, 'page', false)).toEqual({
    src: '/i/abc.gif?w=400',
    freezes: false,
  })
})

test('uses the actual width of a tall image', () => {
  expect(
    chooseSource(still(1000, variant(400, 80), variant(800, 160), variant(1600, 800)), 'page', false)?.srcSet,
  ).toBe('/i/abc.gif?w=400 80w, /i/abc.gif?w=800 160w, /i/abc.gif?w=1600 800w')
})

test('adds the original at the largest variant’s URL if all variants are smaller', () => {
  expect(chooseSource(still(2000, variant(400)), 'page', false)?.srcSet).toBe(
    '/i/abc.gif?w=400 400w, /i/abc.gif?w=1600 2000w',
  )
  expect(chooseSource(still(50), 'tile', false)).toEqual({ src: '/i/abc.gif?w=1600', freezes: false })
})

test('freezes an animation with animated variants until it plays', () => {
  const image = animation(700, variant(400, 400, true), variant(800, 700, true))
  expect(chooseSource(image, 'tile', false)).toEqual({ src: '/i/abc.gif?w=400', freezes: true })
  expect(chooseSource(image, 'tile', true)).toEqual({ src: '/i/abc.gif?w=400', freezes: false })
  expect(chooseSource(image, 'page', true)?.srcSet).toBe('/i/abc.gif?w=400 400w, /i/abc.gif?w=800 700w')
  expect(movesCheaply(image)).toBe(true)
})

test('loads the original to play an animation without animated variants', () => {
  const image = animation(700, variant(400), variant(800, 700))
  expect(chooseSource(image, 'tile', false)?.freezes).toBe(false)
  expect(chooseSource(image, 'tile', true)).toEqual({ src: '/i/abc.gif', freezes: false })
  expect(chooseSource(image, 'page', true)).toEqual({ src: '/i/abc.gif', freezes: false })
  expect(movesCheaply(image)).toBe(false)
})

test('plays a small animated variant on a tile and the original on the page', () => {
  const image = animation(700, variant(400, 400, true), variant(800, 700))
  expect(chooseSource(image, 'tile', false)).toEqual({ src: '/i/abc.gif?w=800', freezes: false })
  expect(chooseSource(image, 'tile', true)?.src).toBe('/i/abc.gif?w=400')
  expect(chooseSource(image, 'page', true)).toEqual({ src: '/i/abc.gif', freezes: false })
})

test('uses the original of a small animation without variants', () => {
  expect(chooseSource(animation(60), 'tile', false)).toEqual({ src: '/i/abc.gif?w=1600', freezes: true })
})

test('has no source for an image that the viewer may not see', () => {
  expect(chooseSource({ url: null, width: 60, frames: 1, variants: null }, 'tile', false)).toBeNull()
})

test('offers the original only where it is sharper than the largest rendering, and adds it only when asked', () => {
  const photo = still(4000, variant(400), variant(800), variant(1600))
  expect([isSharperAsOriginal(photo, 1600), isSharperAsOriginal(photo, 1601)]).toEqual([false, true])
  expect(isSharperAsOriginal(still(600, variant(400), variant(800, 600)), 5000)).toBe(false)
  expect(isSharperAsOriginal(still(2000, variant(400)), 5000)).toBe(false)
  expect(isSharperAsOriginal(animation(4000, variant(400), variant(800), variant(1600)), 5000)).toBe(false)
  expect(chooseSource(photo, 'page', false)?.srcSet).not.toContain('/i/abc.gif 4000w')
  expect(chooseSource(photo, 'page', false, true)?.srcSet).toBe(
    '/i/abc.gif?w=400 400w, /i/abc.gif?w=800 800w, /i/abc.gif?w=1600 1600w, /i/abc.gif 4000w',
  )
})
