/** Writes the HEIC files of testing/images/heic/ again: synthetic pictures, coded by x265. Needs `heif-enc` (on Debian the package
 *  libheif-examples). Tests take everything else, such as grids and rotations, from the items of these files. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'

const target = join(import.meta.dirname, '../testing/images/heic')
const folder = mkdtempSync(join(tmpdir(), 'heic-'))
const [width, height] = [128, 96]

/** Quarters of red, green, blue and white: every rotation and mirroring looks different. */
function quarters(channels: 3 | 4, alpha = 255): Sharp {
  const colours = [
    [220, 30, 30],
    [30, 200, 30],
    [30, 30, 220],
    [240, 240, 240],
  ]
  const data = Buffer.alloc(width * height * channels)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const colour = colours[(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)] ?? []
      const pixel = channels === 4 ? [...colour, y < height / 2 ? 255 : alpha] : colour
      data.set(pixel, (y * width + x) * channels)
    }
  }
  return sharp(data, { raw: { width, height, channels } })
}

const files = [
  { name: 'plain', image: quarters(3), options: [] },
  { name: 'deep', image: quarters(3).toColourspace('rgb16'), options: ['-b', '10'] },
  { name: 'transparent', image: quarters(4, 0), options: [] },
  // A few hundred bytes for 16 megapixels, for files that claim another size.
  {
    name: 'vast',
    image: sharp({ create: { width: 4_096, height: 4_096, channels: 3, background: '#357' } }),
    options: [],
  },
]

for (const { name, image, options } of files) {
  const source = join(folder, `${name}.png`)
  await image.png().toFile(source)
  const { status, stderr } = spawnSync('heif-enc', ['-q', '60', ...options, source, '-o', join(target, `${name}.heic`)])
  if (status !== 0) throw new Error(`heif-enc: ${stderr}`)
}
rmSync(folder, { recursive: true })
