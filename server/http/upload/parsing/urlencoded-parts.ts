import { SNIFF_BYTES, sniffFormat } from '#server/images/format.ts'
import { BadRequest } from './bad-request.ts'
import { decodeSource } from './base64.ts'
import { ByteScanner, collect } from './byte-scanner.ts'
import { FIELD_BYTES, isFileField, MAX_PARTS, type RequestPart } from './part.ts'

const AND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25

/**
 * Yields the values of a form in application/x-www-form-urlencoded in order. Those in file fields are base64 and are decoded as
 * they arrive; calls `onFileEnd` at the end of each. curl --data-binary sends a plain file with this type as well: a body that
 * begins like an image is yielded as a single file.
 */
export async function* urlencodedParts(body: AsyncIterable<Buffer>, onFileEnd = () => {}): AsyncGenerator<RequestPart> {
  const text = new ByteScanner(body)
  while (text.held.length < SNIFF_BYTES && (await text.more())) {}
  if (sniffFormat(text.held.subarray(0, SNIFF_BYTES))) {
    yield { kind: 'file', filename: '', bytes: all(text) }
    return
  }
  for (let count = 0; count < MAX_PARTS; count += 1) {
    const { name, hasValue } = await readName(text)
    const pieces = hasValue ? until(text, AND) : none()
    if (isFileField(name)) {
      yield { kind: 'file', filename: '', bytes: decodeSource(unescaped(pieces)) }
      await collect(pieces, 0)
      onFileEnd()
    } else yield { kind: 'field', name, value: decodeText(await collect(pieces, FIELD_BYTES)) }
    if (text.held.length === 0 && !(await text.more())) return
  }
  throw new BadRequest('too-many-fields')
}

async function* all(text: ByteScanner): AsyncGenerator<Buffer> {
  do yield text.take(text.held.length)
  while (await text.more())
}

async function* none(): AsyncGenerator<Buffer> {}

/** Takes a name up to its `=`, or up to its `&` if it has no value. */
async function readName(text: ByteScanner): Promise<{ readonly name: string; readonly hasValue: boolean }> {
  let at = endOfName(text.held)
  while (at < 0 && text.held.length < FIELD_BYTES && (await text.more())) at = endOfName(text.held)
  const name = decodeText(text.take(at < 0 ? text.held.length : at))
  const hasValue = text.take(1)[0] === EQUALS
  return { name, hasValue }
}

/** Returns the position of the first `&` or `=`, or -1. Called again for each chunk, and a chunk may be a single byte. */
function endOfName(held: Buffer): number {
  const [and, equals] = [held.indexOf(AND), held.indexOf(EQUALS)]
  return and < 0 || equals < 0 ? Math.max(and, equals) : Math.min(and, equals)
}

/** Yields everything up to a byte or the end, in pieces that do not split an escape. Takes the byte too. */
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

/** Decodes escapes of base64, where a plus sign that was not escaped is still a plus sign. */
async function* unescaped(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    yield Buffer.from(piece.toString('latin1').replace(/%([0-9a-f]{2})/gi, decodeByte), 'latin1')
  }
}

function decodeText(piece: Buffer): string {
  const bytes = piece
    .toString('latin1')
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, decodeByte)
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const decodeByte = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16))
