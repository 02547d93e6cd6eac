export interface FormPart {
  readonly name: string
  readonly value: string | Buffer
  /** Only for a file. */
  readonly filename?: string
  readonly type?: string
}

/** Builds a multipart form as clients do, byte for byte: parts in order, each with its head. */
export function formBody(boundary: string, parts: readonly FormPart[]): Buffer {
  const pieces = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const typed = type === undefined ? '' : `\r\nContent-Type: ${type}`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${typed}\r\n\r\n`
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')]
  })
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

/** The same body in chunked encoding, as sent by a client that does not know its length. */
export function chunked(body: Buffer, size = 16_384): Buffer {
  const chunks: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const chunk = body.subarray(at, at + size)
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'))
  }
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}
