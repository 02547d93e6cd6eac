/** What is being edited was changed by someone else in the meantime. Carries the current value; its message is a sentence. */
export class Overtaken<T> extends Error {
  override readonly name = 'Overtaken'
  readonly now: T

  constructor(message: string, now: T) {
    super(message)
    this.now = now
  }
}
