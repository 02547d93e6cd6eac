/** A form field that is not a file. A value that is too long is truncated. */
export interface FormField {
  readonly kind: 'field'
  readonly name: string
  readonly value: string
}

/** A file of a request. Its bytes are read in order, and to the end before the next part is requested. */
export interface FilePart {
  readonly kind: 'file'
  /** As the client sent it; '' if there is none. */
  readonly filename: string
  /** Throws BadRequest for invalid base64, a URL instead of a file, or a body that ends too early. */
  readonly bytes: AsyncIterator<Uint8Array>
}

export type RequestPart = FormField | FilePart

/** A field's value is truncated to this many bytes. */
export const FIELD_BYTES = 4 * 1024

/** The most fields and files read from a request. */
export const MAX_PARTS = 100

const FILE_FIELD = /^(file|image|source)s?(\[\d*\])?$/i

/** Whether a text field of this name contains a file in base64. */
export const isFileField = (name: string): boolean => FILE_FIELD.test(name)
