/** A value of a form that is no file. One that is too long is cut. */
export interface Field {
  readonly kind: 'field'
  readonly name: string
  readonly value: string
}

/** A file of a request. Its bytes are read in order, and to their end before the next part is asked for. */
export interface FilePart {
  readonly kind: 'file'
  /** As the client wrote it; '' where it gives none. */
  readonly filename: string
  /** Throws BadRequest for bytes that are none: base64 that cannot be read, an address, a body that ends too early. */
  readonly bytes: AsyncIterator<Uint8Array>
}

export type Part = Field | FilePart

/** Bytes of a field's value that are kept. */
export const FIELD_BYTES = 4 * 1024

/** Fields and files of a request that are looked at. */
export const MAX_PARTS = 100

const FILE_FIELD = /^(file|image|source)s?(\[\d*\])?$/i

/** Whether a field of this name holds a file, though it comes as text. */
export const isFileField = (name: string): boolean => FILE_FIELD.test(name)
