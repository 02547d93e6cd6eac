import type { FilePart } from './part.ts'

/** Counts the bytes of a file as they are read. */
export function countedPart(part: FilePart): { readonly part: FilePart; readonly bytes: () => number } {
  let count = 0
  const next = async () => {
    const result = await part.bytes.next()
    if (!result.done) count += result.value.byteLength
    return result
  }
  return { part: { ...part, bytes: { next } }, bytes: () => count }
}

/** Skips the rest of a refused file, as far as it may be read, to reach what follows it. Returns whether the end was reached. */
export async function skipRest({ bytes }: FilePart): Promise<boolean> {
  try {
    while (!(await bytes.next()).done);
    return true
  } catch {
    // The file is refused already, and the next read of the form fails with the same error.
    return false
  }
}
