import { expect, test } from 'vitest'
import { toOembed } from './oembed.ts'
import type { Preview } from './preview.ts'
import { listPictures } from './preview-pictures.ts'

const URL = 'https://images.example.org/i/a.jpg'
const site = { name: 'Harbour', origin: 'https://images.example.org' }
const unbounded = { maxWidth: Number.POSITIVE_INFINITY, maxHeight: Number.POSITIVE_INFINITY }
const variant = (width: number, height: number) => ({ url: `${URL}?w=${width}`, width, height, moves: false })
const picture = (width: number, height: number, mime = 'image/webp') => ({
  url: `${URL}?w=${width}`,
  width,
  height,
  mime,
})
const whole = { url: URL, width: 3000, height: 2000, mime: 'image/jpeg', variantsAwaited: false }

const preview = (pictures: Preview['pictures'], change: Partial<Preview> = {}): Preview => ({
  ...{ kind: 'image', title: 'Boats', description: '', pictures, author: null, url: '', isPublic: true, oembedUrl: '' },
  ...change,
})

test('the pictures of a preview are the variants of the image, and never its original', () => {
  const variants = [variant(400, 267), variant(800, 533), variant(1600, 1067)]
  expect(listPictures({ ...whole, variants })).toEqual([picture(400, 267), picture(800, 533), picture(1600, 1067)])
  // The largest would have been no smaller in bytes, and was left out.
  expect(listPictures({ ...whole, variants: variants.slice(0, 2) })).toEqual([picture(400, 267), picture(800, 533)])
  // The largest follows shortly.
  expect(listPictures({ ...whole, variants: variants.slice(0, 1), variantsAwaited: true })).toEqual([
    picture(400, 267),
    picture(1600, 1067),
  ])
  const tiny = { ...whole, width: 20, height: 10, variants: [] }
  expect(listPictures(tiny)).toEqual([{ ...picture(20, 10, 'image/jpeg'), url: `${URL}?w=1600` }])
})

test.each([
  [unbounded, [`${URL}?w=1600`, 1600, 1067]],
  [{ maxWidth: 1000, maxHeight: 1000 }, [`${URL}?w=800`, 800, 533]],
  [{ maxWidth: 1600, maxHeight: 300 }, [`${URL}?w=400`, 400, 267]],
  [{ maxWidth: 200, maxHeight: 1000 }, [`${URL}?w=400`, 200, 134]],
  [{ maxWidth: 1, maxHeight: 1 }, [`${URL}?w=400`, 1, 1]],
])('within %j the photo is %j', (bounds, shown) => {
  const pictures = [picture(400, 267), picture(800, 533), picture(1600, 1067)]
  const { type, url, width, height } = { url: '', width: 0, height: 0, ...toOembed(preview(pictures), bounds, site) }
  expect([type, [url, width, height]]).toEqual(['photo', shown])
})

test('several images are a link, with a thumbnail where there is one', () => {
  const facts = { version: '1.0', title: 'Boats', provider_name: 'Harbour', provider_url: site.origin }
  const several = preview([picture(400, 267)], { kind: 'images', author: 'Ann' })
  expect(toOembed(several, unbounded, site)).toEqual({
    ...{ type: 'link', ...facts, author_name: 'Ann' },
    ...{ thumbnail_url: `${URL}?w=400`, thumbnail_width: 400, thumbnail_height: 267 },
  })
  expect(toOembed(preview([], { kind: 'images' }), unbounded, site)).toEqual({ type: 'link', ...facts })
})
