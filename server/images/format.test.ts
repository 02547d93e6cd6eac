import { expect, test } from 'vitest'
import { animation, picture } from '#testing/images/pictures.ts'
import { type Format, SNIFF_BYTES, sniffFormat } from './format.ts'

test.each<Format>(['jpeg', 'png', 'gif', 'webp', 'avif'])('%s is known by its first bytes', async (format) => {
  const bytes = await picture({ format, width: 8, height: 8 })
  expect(sniffFormat(bytes.subarray(0, SNIFF_BYTES))).toBe(format)
})

test('recognizes an animated WebP', async () => {
  expect(sniffFormat((await animation('webp', { frames: 2 })).subarray(0, SNIFF_BYTES))).toBe('webp')
})

test.each([
  ['nothing', ''],
  ['HTML', '<!doctype html><script>alert(1)</script>'],
  ['JavaScript', 'GIF=1;alert(1)//'],
  ['PDF', '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'],
  ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">'],
  ['SVG behind an XML prologue', '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "b">]>'],
  ['an ImageMagick vector script', 'push graphic-context\nviewbox 0 0 1 1\n'],
  ['EPS', '%!PS-Adobe-3.0 EPSF-3.0'],
  ['PSD', '8BPS\x00\x01\x00\x00\x00\x00\x00\x00\x00\x03\x00\x00'],
  ['TIFF, little endian', 'II*\x00\x08\x00\x00\x00'],
  ['TIFF, big endian', 'MM\x00*\x00\x00\x00\x08'],
  ['an icon', '\x00\x00\x01\x00\x01\x00\x10\x10'],
  ['BMP', 'BM\x36\x00\x00\x00'],
  ['HEIC video', '\x00\x00\x00\x18ftyphevc\x00\x00\x00\x00msf1hevc'],
  ['HEIF of another coding', '\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1vvic'],
  ['MP4 that says it is HEIC', '\x00\x00\x00\x18ftypisom\x00\x00\x00\x00mp42heic'],
  ['HEIF that names AVIF behind its brands', '\x00\x00\x00\x14ftypmif1\x00\x00\x00\x00mif1avif'],
  ['HEIF that names AVIF astride two brands', '\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1xxavifxx'],
  ['an AVIF sequence', '\x00\x00\x00\x1cftypavis\x00\x00\x00\x00avisavifmif1'],
  ['an AVIF sequence with a still picture', '\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifavismif1'],
  ['half an AVIF box', '\x00\x00\x00\x18ftypavif'],
  ['MP4', '\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomavc1'],
  ['JPEG XL', '\x00\x00\x00\x0cJXL \r\n\x87\n\x00\x00\x00\x14ftypjxl \x00\x00\x00\x00jxl '],
  ['JPEG XL without a container', '\xff\x0a\xfa\x1f'],
  ['JPEG 2000', '\x00\x00\x00\x0cjP  \r\n\x87\n\x00\x00\x00\x14ftypjp2 \x00\x00\x00\x00jp2 '],
  ['sound in RIFF', 'RIFF\x24\x00\x00\x00WAVEfmt '],
  ['an image behind a space', ' \xff\xd8\xff\xe0'],
  ['half a PNG signature', '\x89PNG\r\n'],
])('%s is not an image', (_, text) => {
  expect(sniffFormat(Buffer.from(text, 'latin1'))).toBeNull()
})

test.each([
  ['avif alone', '\x00\x00\x00\x10ftypavif\x00\x00\x00\x00'],
  ['a general picture that is compatible with avif', '\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1miafavif'],
  ['more brands than are looked at', `\x00\x00\x01\x00ftypavif\x00\x00\x00\x00${'MA1B'.repeat(60)}`],
])('recognizes an AVIF by its brands: %s', (_, text) => {
  expect(sniffFormat(Buffer.from(text, 'latin1').subarray(0, SNIFF_BYTES))).toBe('avif')
})

test.each([
  ['heic', '\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic'],
  ['heix, for more than 8 bits', '\x00\x00\x00\x18ftypheix\x00\x00\x00\x00mif1heix'],
  ['one that says it is AVIF too', '\x00\x00\x00\x18ftypheix\x00\x00\x00\x00mif1avif'],
  ['a general picture that is compatible with heic', '\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heic'],
  ['a burst with a primary picture', '\x00\x00\x00\x20ftypmsf1\x00\x00\x00\x00msf1hevcmif1heic'],
  ['a live photo', '\x00\x00\x00\x24ftyphevc\x00\x00\x00\x00msf1hevcmif1heicheix'],
])('recognizes a HEIC by its brands: %s', (_, text) => {
  expect(sniffFormat(Buffer.from(text, 'latin1').subarray(0, SNIFF_BYTES))).toBe('heic')
})
