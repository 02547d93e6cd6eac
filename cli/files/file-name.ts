import { fitted, portableName, splitName } from '#server/images/names.ts'

/** Bytes of a stem that every file system allows, with room for a mark and an extension. */
const MOST_BYTES = 200

/** Returns a safe file name, whatever the server sends: no folder, not hidden, not a device, not too long, and with the extension
 *  of its type. `mark`, a part of the image's id, goes before the extension. */
export function fileName({ filename, mime }: { readonly filename: string; readonly mime: string }, mark = ''): string {
  const { stem, extension } = splitName(portableName(filename, mime))
  return `${fitted(stem, '', MOST_BYTES)}${mark.replace(/[^\w-]/g, '_')}${extension}`
}
