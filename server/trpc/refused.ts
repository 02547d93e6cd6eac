/** The cause of an error that programs are to tell from others of its code: the answer's `data.reason`. */
export class Refused extends Error {
  override name = 'Refused'
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
