import { SNIFF_BYTES, sniffFormat } from '#server/images/format.ts'
import { BadRequest } from './bad-request.ts'
import { decodeSource } from './base64.ts'
import { ByteScanner, collect } from './byte-scanner.ts'
import { FIELD_BYTES, isFileField, MAX_PARTS, type Part } from './part.ts'

const AND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25

/**
 * The values of a form in application/x-www-form-urlencoded, one after the other; those in the fields of files are base64, and
 * read as they come, with `onFileEnd` told of each one's end. What curl sends with --data-binary has that type too, though it is a file: then it is the one part.
 */
export async function* urlencodedParts(body: AsyncIterable<Buffer>, onFileEnd = () => {}): AsyncGenerator<Part> {
  const text = new ByteScanner(body)
  while (text.held.length < SNIFF_BYTES && (await text.more())) {}
  if (sniffFormat(text.held.subarray(0, SNIFF_BYTES))) {
    yield { kind: 'file', filename: '', bytes: all(text) }
    return
  }
  for (let count = 0; count < MAX_PARTS; count += 1) {
    const { name, hasValue } = await nameOf(text)
    const pieces = hasValue ? until(text, AND) : none()
    if (isFileField(name)) {
      yield { kind: 'file', filename: '', bytes: decodeSource(unescaped(pieces)) }
      await collect(pieces, 0)
      onFileEnd()
    } else yield { kind: 'field', name, value: textOf(await collect(pieces, FIELD_BYTES)) }
    if (text.held.length === 0 && !(await text.more())) return
  }
  throw new BadRequest('too-many-fields')
}

async function* all(text: ByteScanner): AsyncGenerator<Buffer> {
  do yield text.take(text.held.length)
  while (await text.more())
}

async function* none(): AsyncGenerator<Buffer> {}

/** A name, to its `=`, or to its `&` where it has no value. */
async function nameOf(text: ByteScanner): Promise<{ readonly name: string; readonly hasValue: boolean }> {
  let at = endOfName(text.held)
  while (at < 0 && text.held.length < FIELD_BYTES && (await text.more())) at = endOfName(text.held)
  const name = textOf(text.take(at < 0 ? text.held.length : at))
  const hasValue = text.take(1)[0] === EQUALS
  return { name, hasValue }
}

/** Where the first `&` or `=` is, or -1. Asked again for each chunk, of which there may be one for each byte. */
function endOfName(held: Buffer): number {
  const [and, equals] = [held.indexOf(AND), held.indexOf(EQUALS)]
  return and < 0 || equals < 0 ? Math.max(and, equals) : Math.min(and, equals)
}

/** What comes before a byte, or the end, in pieces that cut no escape; takes the byte too. */
async function* until(text: ByteScanner, stop: number): AsyncGenerator<Buffer> {
  for (;;) {
    const at = text.held.indexOf(stop)
    if (at >= 0) {
      yield text.take(at)
      text.take(1)
      return
    }
    const cut = text.held.lastIndexOf(PERCENT)
    const whole = cut >= 0 && cut > text.held.length - 3 ? cut : text.held.length
    if (whole > 0) yield text.take(whole)
    if (!(await text.more())) return void (yield text.take(text.held.length))
  }
}

/** Of base64: a plus that was not escaped is one for all that. */
async function* unescaped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield Buffer.from(piece.toString('latin1').replace(/%([0-9a-f]{2})/gi, byteOf), 'latin1')
  }
}

function textOf(piece: Buffer): string {
  const bytes = piece
    .toString('latin1')
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, byteOf)
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const byteOf = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))
