/** Says that another has changed what somebody is about to change, and carries what holds now. */
export class Overtaken<T> extends Error {
  override readonly name = 'Overtaken'
  readonly now: T

  constructor(message: string, now: T) {
    super(message)
    this.now = now
  }
}
