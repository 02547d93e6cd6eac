/** The fields of a form, by their names in lower case. */
export class FormFields {
  readonly #first = new Map<string, string>()
  /** The last of each name. */
  readonly last = new Map<string, string>()

  add(name: string, value: string): void {
    const key = name.toLowerCase()
    if (!this.#first.has(key)) this.#first.set(key, value)
    this.last.set(key, value)
  }

  /** What holds for a file that comes now: the last of each name before it; of a name that comes behind it alone the first,
   *  once that has come. */
  forFileHere(): () => ReadonlyMap<string, string> {
    const before = [...this.last]
    return () => new Map([...this.#first, ...before])
  }
}
