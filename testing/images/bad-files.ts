import sharp from 'sharp'
import type { Format } from '#server/images/format.ts'
import { seededRandom } from '../random.ts'
import { bombs } from './bad-bombs.ts'
import { foreignFiles } from './foreign-files.ts'
import { mutations, payload } from './mutations.ts'
import { animation, picture } from './pictures.ts'
import { polyglots } from './polyglots.ts'
import { AVIF_TAINT } from './tainted-avif.ts'

export interface BadFile {
  /** What is wrong with it. */
  readonly class: string
  /** The format that it was made from or claims to be. */
  readonly format: Format | 'foreign'
  readonly name: string
  readonly bytes: Buffer
  /** The correct statuses of a response. */
  readonly expected: readonly number[]
}

/** A marker outside the picture data. It must not occur in stored bytes. */
export const PAYLOAD = AVIF_TAINT

const REFUSED = [415, 422]
const EITHER = [200, ...REFUSED]
const allFormats = ['jpeg', 'png', 'gif', 'webp', 'avif'] as const satisfies readonly Format[]

/** Valid files that each decode within milliseconds. */
export type SoundFiles = Readonly<Record<Format, readonly [Buffer, ...Buffer[]]>>

/** Images of 16 to 64 pixels: still and animated, with and without alpha, with a profile and an orientation. */
export async function soundFiles(): Promise<SoundFiles> {
  const still = (format: Format, seed: number, orientation?: number) =>
    picture({ format, width: 16 + seed * 8, height: 64 - seed * 8, seed, ...(orientation && { orientation }) })
  const image = sharp(await still('png', 3))
  const clear = image.clone().ensureAlpha(0.5).withIccProfile('p3')
  const small = { frames: 3, width: 24, height: 16 }
  const progressive = image.clone().withIccProfile('srgb').jpeg({ progressive: true })
  return {
    jpeg: [await still('jpeg', 1), await still('jpeg', 2, 6), await progressive.toBuffer()],
    png: [
      await still('png', 1),
      await clear.clone().png().toBuffer(),
      await image.clone().png({ palette: true }).toBuffer(),
      await image.clone().png({ progressive: true }).toBuffer(),
    ],
    gif: [await still('gif', 1), await animation('gif', small)],
    webp: [
      await still('webp', 1),
      await clear.clone().webp().toBuffer(),
      await image.clone().webp({ lossless: true }).toBuffer(),
      await animation('webp', small),
    ],
    avif: [await still('avif', 1), await clear.clone().avif({ effort: 0 }).toBuffer(), await still('avif', 2, 6)],
  }
}

/** Files that are the same for every seed: foreign types, bombs, bare signatures, empty files, and polyglots, which are accepted. */
export function fixedBadFiles(sound: SoundFiles): BadFile[] {
  const { jpeg, png, gif, webp, avif } = sound
  const foreign = Object.entries(foreignFiles).map(
    ([name, bytes]): BadFile => ({ class: 'foreign type', format: 'foreign', name, bytes, expected: [415] }),
  )
  const tooMuch = bombs({ jpeg: jpeg[0], png: png[0], gif: gif[0], webp: webp[0], avif: avif[0] })
  const headers = allFormats.flatMap((format) =>
    [12, 16, 24, 32].map(
      (length): BadFile => ({
        class: 'header only',
        format,
        name: `${length} bytes`,
        bytes: sound[format][0].subarray(0, length),
        expected: REFUSED,
      }),
    ),
  )
  const carriers = allFormats.flatMap((format) =>
    sound[format].flatMap((file) => polyglots(format, file, payload(PAYLOAD))),
  )
  return [
    { class: 'empty', format: 'foreign', name: 'no bytes', bytes: Buffer.alloc(0), expected: [422] },
    ...foreign,
    ...tooMuch.map((bomb): BadFile => ({ ...bomb, expected: [422] })),
    ...headers,
    ...carriers.map((carrier): BadFile => ({ ...carrier, class: 'polyglot', expected: [200] })),
  ]
}

/** Returns the file of a seed and an index. Formats alternate, and so do the ways to damage them. */
export function mutatedFile(sound: SoundFiles, seed: number, index: number): BadFile {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b))
  const all = mutations(PAYLOAD)
  const format = allFormats[index % allFormats.length] ?? 'jpeg'
  const mutation = all[Math.floor(index / allFormats.length) % all.length] ?? all[0]
  const file = random.pick(sound[format])
  const other = random.pick(sound[random.pick(allFormats)])
  return {
    class: mutation.class,
    format,
    name: `seed ${seed}, index ${index}`,
    bytes: mutation.apply(file, format, random, other),
    expected: mutation.mustRefuse ? REFUSED : EITHER,
  }
}
