/** Bytes of a name that every file system takes, with room for an ending of ours. */
const MOST_BYTES = 200

/** Windows opens a device, not a file, under these names. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const extensions: ReadonlyMap<string, readonly string[]> = new Map([
  ['image/jpeg', ['jpg', 'jpeg', 'jpe', 'jfif']],
  ['image/png', ['png', 'apng']],
  ['image/gif', ['gif']],
  ['image/webp', ['webp']],
  ['image/avif', ['avif']],
])

/** A name for a file of its own, whatever the server says: no folder, nothing hidden, no device, not too long, and with an
 *  ending that says what it is. `mark`, some characters of the image's id, stands before the ending. */
export function fileName({ filename, mime }: { readonly filename: string; readonly mime: string }, mark = ''): string {
  const plain = filename.replace(/[\p{Cc}/\\:*?"<>|]/gu, '_').replace(/^[.\s]+|[.\s]+$/g, '') || 'image'
  const [, stem = plain, own = ''] = /^(.+)\.([A-Za-z0-9]{1,5})$/.exec(plain) ?? []
  const known = extensions.get(mime) ?? []
  const isRight = known.length === 0 || known.includes(own.toLowerCase())
  const ending = isRight ? own : known[0]
  const name = `${cut(isRight ? stem : plain)}${mark.replace(/[^\w-]/g, '_')}${ending ? `.${ending}` : ''}`
  return RESERVED.test(name) ? `_${name}` : name
}

/** Never through a character. */
function cut(stem: string): string {
  let bytes = 0
  let kept = ''
  for (const character of stem) {
    bytes += Buffer.byteLength(character)
    if (bytes > MOST_BYTES) return kept.trimEnd()
    kept += character
  }
  return kept
}
