import { fitted, partsOf, portableName } from '#server/images/names.ts'

/** Bytes of a stem that every file system takes, with room for a mark and an ending of ours. */
const MOST_BYTES = 200

/** A name for a file of its own, whatever the server says: no folder, nothing hidden, no device, not too long, and with an
 *  ending that says what it is. `mark`, some characters of the image's id, stands before the ending. */
export function fileName({ filename, mime }: { readonly filename: string; readonly mime: string }, mark = ''): string {
  const { stem, extension } = partsOf(portableName(filename, mime))
  return `${fitted(stem, '', MOST_BYTES)}${mark.replace(/[^\w-]/g, '_')}${extension}`
}
