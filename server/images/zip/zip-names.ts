import { downloadName } from '#server/images/names.ts'

/** Bytes of a name that every file system takes, a number for twins included. */
const MAX_BYTES = 240

/** What is not part of a file's name on one system or another; folders there are none. */
const FOREIGN = /[<>:"/\\|?*\p{Cc}]/gu

/** Names for the files of a zip, each unlike all others wherever letters of either case, or composed and decomposed ones,
 *  are the same. `taken` are names that are given already. */
export function zipNames(
  images: readonly { readonly filename: string; readonly mime: string }[],
  taken: readonly string[] = [],
): readonly string[] {
  const known = new Set(taken.map(folded))
  return images.map(({ filename, mime }) => {
    const { stem, extension } = partsOf(downloadName(clean(filename), mime))
    for (let number = 1; ; number += 1) {
      const name = named(stem, number === 1 ? extension : ` (${number})${extension}`)
      if (known.has(folded(name))) continue
      known.add(folded(name))
      return name
    }
  })
}

const folded = (name: string): string => name.normalize('NFKC').toLowerCase()

/** Windows drops dots and spaces at an end. */
const clean = (filename: string): string =>
  filename
    .toWellFormed()
    .replace(FOREIGN, '_')
    .replace(/^[. ]+|[. ]+$/g, '') || 'image'

function partsOf(name: string): { readonly stem: string; readonly extension: string } {
  const extension = /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

/** Cuts the stem, and never through a character. */
function named(stem: string, end: string): string {
  let characters = [...stem]
  while (Buffer.byteLength(characters.join('') + end) > MAX_BYTES) characters = characters.slice(0, -1)
  return characters.join('').trimEnd() + end
}
