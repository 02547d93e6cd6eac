import { BadRequest } from './bad-request.ts'
import { decodeSource } from './base64.ts'
import { ByteScanner, collect } from './byte-scanner.ts'
import { FIELD_BYTES, isFileField, MAX_PARTS, type Part } from './part.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = /^[\t\n\r ]*/
/** Characters and strings of a list or an object that are passed over. */
const NESTED = 10_000
/** A number, or one of JSON's three words. */
const SCALAR = /^(?:-?\d[\d.eE+-]{0,40}|true|false|null)$/

/**
 * The values of a JSON object, one after the other: texts in the fields of files are base64, and read as they come, so that
 * no more than a chunk of them is held. `onFileEnd` is told of each one's end. What is neither text nor number is passed over. Throws BadRequest.
 */
export async function* jsonParts(body: AsyncIterable<Buffer>, onFileEnd = () => {}): AsyncGenerator<Part> {
  const text = new ByteScanner(body)
  await expectOne(text, '{')
  if ((await nextByte(text)) === '}') return
  for (let count = 0; count < MAX_PARTS; count += 1) {
    await expectOne(text, '"')
    const name = textOf(await collect(stringOf(text), FIELD_BYTES), 'utf8')
    await expectOne(text, ':')
    if ((await nextByte(text)) === '"') {
      text.take(1)
      const pieces = stringOf(text)
      if (isFileField(name)) {
        yield { kind: 'file', filename: '', bytes: decodeSource(unescaped(pieces)) }
        await collect(pieces, 0)
        onFileEnd()
      } else {
        yield { kind: 'field', name, value: textOf(wholeEscapes(await collect(pieces, FIELD_BYTES)), 'utf8') }
      }
    } else {
      const value = await passOver(text)
      if (value) yield { kind: 'field', name, value }
    }
    const separator = await nextByte(text)
    text.take(1)
    if (separator === '}') return
    if (separator !== ',') throw new BadRequest('bad-json')
  }
  throw new BadRequest('too-many-fields')
}

/** The next byte that is no white space, as text, and stays where it is. */
async function nextByte(text: ByteScanner): Promise<string> {
  for (;;) {
    const [space = ''] = SPACE.exec(text.held.toString('latin1', 0, 1_024)) ?? []
    text.take(space.length)
    if (text.held.length > 0 && space.length < 1_024) return text.held.toString('latin1', 0, 1)
    if (text.held.length === 0 && !(await text.more())) throw new BadRequest('incomplete')
  }
}

async function expectOne(text: ByteScanner, byte: string): Promise<void> {
  if ((await nextByte(text)) !== byte) throw new BadRequest('bad-json')
  text.take(1)
}

/** A string behind its opening quote, as it is written, in pieces that cut no escape; takes the closing quote too. */
async function* stringOf(text: ByteScanner): AsyncGenerator<Buffer> {
  for (;;) {
    const { length, isEnd } = measure(text.held)
    if (length > 0) yield text.take(length)
    if (isEnd) return void text.take(1)
    if (!(await text.more())) throw new BadRequest('incomplete')
  }
}

/** How many bytes belong to a string whole, and whether its closing quote comes next. */
function measure(held: Buffer): { readonly length: number; readonly isEnd: boolean } {
  let at = 0
  while (at < held.length) {
    const byte = held[at]
    if (byte === QUOTE) return { length: at, isEnd: true }
    const length = byte !== BACKSLASH ? 1 : held[at + 1] === 0x75 ? 6 : 2
    if (at + length > held.length) break
    at += length
  }
  return { length: at, isEnd: false }
}

async function* unescaped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield piece.includes(BACKSLASH) ? Buffer.from(textOf(piece, 'latin1'), 'latin1') : piece
  }
}

/** What JSON says by such a piece of a string. */
function textOf(piece: Buffer, encoding: 'utf8' | 'latin1'): string {
  try {
    return String(JSON.parse(`"${piece.toString(encoding)}"`))
  } catch {
    throw new BadRequest('bad-json')
  }
}

/** A text that was cut, without the escape that it was cut in. */
const wholeEscapes = (cut: Buffer): Buffer => cut.subarray(0, measure(cut).length)

/** Takes a value that is no string; what a number or a word says, or nothing of a list or an object. */
async function passOver(text: ByteScanner): Promise<string | null> {
  const open = await nextByte(text)
  if (open === '[' || open === '{') return passOverNested(text)
  let value = ''
  for (;;) {
    const [part = ''] = /^[^,}\s]*/.exec(text.held.toString('latin1', 0, 64)) ?? []
    value += text.take(part.length).toString('latin1')
    if (value.length > 64) throw new BadRequest('bad-json')
    if (text.held.length > 0) break
    if (!(await text.more())) throw new BadRequest('incomplete')
  }
  if (!SCALAR.test(value)) throw new BadRequest('bad-json')
  return value
}

async function passOverNested(text: ByteScanner): Promise<null> {
  let depth = 0
  let signs = 0
  do {
    signs += 1
    if (signs > NESTED) throw new BadRequest('bad-json')
    const byte = await nextByte(text)
    text.take(1)
    if (byte === '"') await collect(stringOf(text), 0)
    else if (byte === '[' || byte === '{') depth += 1
    else if (byte === ']' || byte === '}') depth -= 1
  } while (depth > 0)
  return null
}
