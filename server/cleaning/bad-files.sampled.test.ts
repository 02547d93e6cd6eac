import sharp from 'sharp'
import { expect, test } from 'vitest'
import { SNIFF_BYTES, sniffFormat } from '#server/images/format.ts'
import { fixedBadFiles, mutatedFile, soundFiles } from '#testing/bad-files.ts'
import { sample, seed } from '#testing/sampled.ts'
import { problemOfStored } from '#testing/stored-bytes.ts'
import { cleanImage } from './clean.ts'

/** As many of each format. */
const COUNT = sample(5_000, 800)
/** Bytes that a file may grow by: what a canonical header has and a careless writer left out. */
const MAX_GROWTH = 400

test('bad files are refused or cleaned to the pictures they are, and cleaned again they stay the same', async () => {
  const sound = await soundFiles()
  const problems: string[] = []
  const all = [...fixedBadFiles(sound), ...Array.from({ length: COUNT }, (_, index) => mutatedFile(sound, seed, index))]
  for (const file of all) {
    const problem = await problemOf(file.bytes)
    if (problem) problems.push(`${file.format}, ${file.class}, ${file.name}: ${problem}`)
  }
  expect(problems).toEqual([])
}, 300_000)

async function problemOf(bytes: Buffer): Promise<string | null> {
  const format = sniffFormat(bytes.subarray(0, SNIFF_BYTES))
  const cleaning = format && (await cleanImage(format, bytes))
  if (cleaning?.outcome !== 'clean') return null
  const clean = Buffer.concat(cleaning.parts)
  if (clean.length > bytes.length + MAX_GROWTH) return `grows from ${bytes.length} to ${clean.length} bytes`
  const again = await cleanImage(format ?? 'jpeg', clean)
  if (again.outcome !== 'clean' || !Buffer.concat(again.parts).equals(clean)) return 'is not the same cleaned again'
  // What the cleaner takes the decoder may still refuse: coded data can be damaged where no container tells.
  const decodes = await sharp(clean, { failOn: 'warning', animated: true, limitInputPixels: 300_000_000 })
    .stats()
    .then(
      () => true,
      () => false,
    )
  return decodes ? problemOfStored(bytes, clean) : null
}
