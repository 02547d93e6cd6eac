import { fitted, partsOf, portableName } from '#server/images/names.ts'

/** Bytes of a name that every file system takes, a number for twins included. */
const MAX_BYTES = 240

/** Names for the files of a zip, each unlike all others wherever letters of either case, or composed and decomposed ones,
 *  are the same. `taken` are names that are given already. */
export function zipNames(
  images: readonly { readonly filename: string; readonly mime: string }[],
  taken: readonly string[] = [],
): readonly string[] {
  const known = new Set(taken.map(folded))
  return images.map(({ filename, mime }) => {
    const { stem, extension } = partsOf(portableName(filename, mime))
    for (let number = 1; ; number += 1) {
      const name = fitted(stem, number === 1 ? extension : ` (${number})${extension}`, MAX_BYTES)
      if (known.has(folded(name))) continue
      known.add(folded(name))
      return name
    }
  })
}

const folded = (name: string): string => name.normalize('NFKC').toLowerCase()
