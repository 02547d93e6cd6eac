import { BadRequest } from './bad-request.ts'
import { decodeSource } from './base64.ts'
import { ByteScanner, collect } from './byte-scanner.ts'
import { FIELD_BYTES, isFileField, MAX_PARTS, type RequestPart } from './part.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = /^[\t\n\r ]*/
/** How many characters and strings of a nested list or object are skipped before the request is refused. */
const NESTED = 10_000
/** A number, `true`, `false` or `null`. */
const SCALAR = /^(?:-?\d[\d.eE+-]{0,40}|true|false|null)$/

/**
 * Yields the values of a JSON object in order. Strings in file fields are base64 and are decoded as they arrive, so that only
 * one chunk is in memory. Calls `onFileEnd` at the end of each. Lists and objects are skipped. Throws BadRequest.
 */
export async function* jsonParts(body: AsyncIterable<Buffer>, onFileEnd = () => {}): AsyncGenerator<RequestPart> {
  const text = new ByteScanner(body)
  await expectOne(text, '{')
  if ((await nextByte(text)) === '}') return
  for (let count = 0; count < MAX_PARTS; count += 1) {
    await expectOne(text, '"')
    const name = decodeText(await collect(readString(text), FIELD_BYTES), 'utf8')
    await expectOne(text, ':')
    if ((await nextByte(text)) === '"') {
      text.take(1)
      const pieces = readString(text)
      if (isFileField(name)) {
        yield { kind: 'file', filename: '', bytes: decodeSource(unescaped(pieces)) }
        await collect(pieces, 0)
        onFileEnd()
      } else {
        yield { kind: 'field', name, value: decodeText(wholeEscapes(await collect(pieces, FIELD_BYTES)), 'utf8') }
      }
    } else {
      const value = await takeScalar(text)
      if (value) yield { kind: 'field', name, value }
    }
    const separator = await nextByte(text)
    text.take(1)
    if (separator === '}') return
    if (separator !== ',') throw new BadRequest('bad-json')
  }
  throw new BadRequest('too-many-fields')
}

/** Returns the next byte that is not white space, as text, without taking it. */
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

/** Yields a string after its opening quote, still escaped, in pieces that do not split an escape. Takes the closing quote. */
async function* readString(text: ByteScanner): AsyncGenerator<Buffer> {
  for (;;) {
    const { length, isEnd } = measure(text.held)
    if (length > 0) yield text.take(length)
    if (isEnd) return void text.take(1)
    if (!(await text.more())) throw new BadRequest('incomplete')
  }
}

/** Returns how many bytes belong to the string without splitting an escape, and whether its closing quote comes next. */
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
    yield piece.includes(BACKSLASH) ? Buffer.from(decodeText(piece, 'latin1'), 'latin1') : piece
  }
}

/** Decodes such a piece of a string. */
function decodeText(piece: Buffer, encoding: 'utf8' | 'latin1'): string {
  try {
    return String(JSON.parse(`"${piece.toString(encoding)}"`))
  } catch {
    throw new BadRequest('bad-json')
  }
}

/** Removes an escape at the end that was cut in two. */
const wholeEscapes = (cut: Buffer): Buffer => cut.subarray(0, measure(cut).length)

/** Takes a value that is not a string. Returns the text of a number or word, null for a list or an object. */
async function takeScalar(text: ByteScanner): Promise<string | null> {
  const open = await nextByte(text)
  if (open === '[' || open === '{') return skipNested(text)
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

async function skipNested(text: ByteScanner): Promise<null> {
  let depth = 0
  let tokens = 0
  do {
    tokens += 1
    if (tokens > NESTED) throw new BadRequest('bad-json')
    const byte = await nextByte(text)
    text.take(1)
    if (byte === '"') await collect(readString(text), 0)
    else if (byte === '[' || byte === '{') depth += 1
    else if (byte === ']' || byte === '}') depth -= 1
  } while (depth > 0)
  return null
}
