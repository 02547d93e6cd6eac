import { fitted, portableName, splitName } from '#server/images/names.ts'

/** A length that every file system allows, including the number of a duplicate. */
const MAX_BYTES = 240

/** Returns distinct names for the files of a zip, also on file systems that ignore case or Unicode normalization. `taken` are
 *  names already in use. */
export function zipNames(
  images: readonly { readonly filename: string; readonly mime: string }[],
  taken: readonly string[] = [],
): readonly string[] {
  const known = new Set(taken.map(fold))
  return images.map(({ filename, mime }) => {
    const { stem, extension } = splitName(portableName(filename, mime))
    for (let number = 1; ; number += 1) {
      const name = fitted(stem, number === 1 ? extension : ` (${number})${extension}`, MAX_BYTES)
      if (known.has(fold(name))) continue
      known.add(fold(name))
      return name
    }
  })
}

const fold = (name: string): string => name.normalize('NFKC').toLowerCase()
