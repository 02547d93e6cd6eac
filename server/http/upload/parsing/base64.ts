import { sniffFormat } from '#server/images/format.ts'
import { BadRequest } from './bad-request.ts'

/** Bytes of white space that a text may contain in addition to one per character. They do not count as bytes of the file. */
const BLANKS = 64 * 1024

/** How many of the first characters decide what a text is. */
const HEAD = 200

const DATA_URL = /^\s*data:[^,]*;base64,/i
const ADDRESS = /^\s*[a-z][a-z0-9+.-]*:\/\//i

/**
 * Decodes a file that is sent as text: base64 or a data URL, with or without padding, in either alphabet. Bytes of an image
 * that a client sends without encoding pass unchanged. Throws BadRequest.
 */
export async function* decodeSource(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0)
  let isRaw = false
  let rest = ''
  let blanks = 0
  for await (const chunk of chunks) {
    let bytes = chunk
    if (head) {
      head = Buffer.concat([head, chunk])
      if (head.length < HEAD) continue
      bytes = head
      head = null
      isRaw = sniffFormat(bytes) !== null
      if (!isRaw) bytes = withoutPrefix(bytes)
    }
    if (isRaw) yield bytes
    else {
      const [decoded, left] = decode(rest, bytes)
      blanks += bytes.length - 2 * ((4 * decoded.length) / 3)
      if (blanks > BLANKS) throw new BadRequest('bad-base64')
      rest = left
      yield decoded
    }
  }
  if (head) {
    if (sniffFormat(head)) return yield head
    rest = clean(withoutPrefix(head))
  }
  if (rest) yield decodeEnd(rest)
}

function withoutPrefix(head: Buffer): Buffer {
  const text = head.toString('latin1')
  if (ADDRESS.test(text)) throw new BadRequest('no-url')
  const [prefix = ''] = DATA_URL.exec(text) ?? []
  return head.subarray(prefix.length)
}

/** Decodes complete groups of four characters, and returns the remaining characters. */
function decode(rest: string, bytes: Buffer): [decoded: Buffer, left: string] {
  const text = rest + clean(bytes)
  const whole = text.length - (text.length % 4 || 4)
  const groups = text.slice(0, whole)
  if (groups.includes('=')) throw new BadRequest('bad-base64')
  return [Buffer.from(groups, 'base64'), text.slice(whole)]
}

function decodeEnd(text: string): Buffer {
  const characters = text.replace(/={1,2}$/, '')
  if (characters.includes('=') || characters.length % 4 === 1) throw new BadRequest('bad-base64')
  return Buffer.from(characters, 'base64')
}

/** Removes white space, such as line breaks. */
function clean(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(/[\t\r\n ]+/g, '')
  if (/[^A-Za-z0-9+/_=-]/.test(text)) throw new BadRequest('bad-base64')
  return text
}
