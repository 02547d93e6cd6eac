import sharp from 'sharp'
import { expect, test } from 'vitest'
import { SNIFF_BYTES, sniffFormat } from '#server/images/format.ts'
import { fixedBadFiles, mutatedFile, soundFiles } from '#testing/images/bad-files.ts'
import { problemOfStored } from '#testing/images/stored-bytes.ts'
import { sample, seed } from '#testing/sampled.ts'
import { cleanImage } from './clean.ts'

/** Mutated files over all formats. */
const COUNT = sample(5_000, 250)
/** Bytes by which a file may grow: a canonical header has some that a careless writer omitted. */
const MAX_GROWTH = 400

test('refuses bad files or cleans them to the same picture, and leaves them unchanged the second time', async () => {
  const sound = await soundFiles()
  const problems: string[] = []
  const all = [...fixedBadFiles(sound), ...Array.from({ length: COUNT }, (_, index) => mutatedFile(sound, seed, index))]
  for (const file of all) {
    const problem = await findProblem(file.bytes)
    if (problem) problems.push(`${file.format}, ${file.class}, ${file.name}: ${problem}`)
  }
  expect(problems).toEqual([])
}, 300_000)

async function findProblem(bytes: Buffer): Promise<string | null> {
  const format = sniffFormat(bytes.subarray(0, SNIFF_BYTES))
  if (format === 'heic') return 'is taken for a HEIC'
  const cleaning = format && (await cleanImage(format, bytes))
  if (cleaning?.outcome !== 'clean') return null
  const clean = Buffer.concat(cleaning.parts)
  if (clean.length > bytes.length + MAX_GROWTH) return `grows from ${bytes.length} to ${clean.length} bytes`
  const again = await cleanImage(format ?? 'jpeg', clean)
  if (again.outcome !== 'clean' || !Buffer.concat(again.parts).equals(clean)) return 'is not the same cleaned again'
  // The decoder may refuse what the cleaner accepts: damage within coded data does not show in the container.
  const decodes = await sharp(clean, { failOn: 'warning', animated: true, limitInputPixels: 300_000_000 })
    .stats()
    .then(
      () => true,
      () => false,
    )
  return decodes ? problemOfStored(bytes, clean) : null
}
