import type { FilePart } from './part.ts'

/** A file whose bytes are counted as they are read. */
export function countedPart(part: FilePart): { readonly part: FilePart; readonly bytes: () => number } {
  let count = 0
  const next = async () => {
    const result = await part.bytes.next()
    if (!result.done) count += result.value.byteLength
    return result
  }
  return { part: { ...part, bytes: { next } }, bytes: () => count }
}

/** Reads the rest of a file that was refused, for what comes behind it, as far as it may be read. Whether that was to its end. */
export async function passOver({ bytes }: FilePart): Promise<boolean> {
  try {
    while (!(await bytes.next()).done);
    return true
  } catch {
    // It is refused already; whatever comes behind says so itself.
    return false
  }
}
