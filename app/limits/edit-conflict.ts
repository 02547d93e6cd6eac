/**
 * Thrown if someone else has changed what is being edited. Carries the current value; the message is a sentence for the
 * reader.
 */
export class EditConflict<T> extends Error {
  override readonly name = 'EditConflict'
  readonly now: T

  constructor(message: string, now: T) {
    super(message)
    this.now = now
  }
}
