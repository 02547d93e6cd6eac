/** The fields of a form by name, in lower case. */
export class FormFields {
  readonly #first = new Map<string, string>()
  /** The last of each name. */
  readonly last = new Map<string, string>()

  add(name: string, value: string): void {
    const key = name.toLowerCase()
    if (!this.#first.has(key)) this.#first.set(key, value)
    this.last.set(key, value)
  }

  /** Returns a function for the fields that apply to the file being read now: for each name the last value before the file or,
   *  if there is none, the first value after it that has arrived by the time of the call. */
  forFileHere(): () => ReadonlyMap<string, string> {
    const before = [...this.last]
    return () => new Map([...this.#first, ...before])
  }
}
