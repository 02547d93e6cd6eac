/** The parts of a file in order. Adjacent views of one buffer are merged, so that a file of a million chunks stays a
 *  handful of parts. */
export class Parts {
  readonly list: Buffer[] = []

  add(...parts: readonly Buffer[]): void {
    for (const part of parts) this.#add(part)
  }

  #add(part: Buffer): void {
    const last = this.list.at(-1)
    if (last && last.buffer === part.buffer && last.byteOffset + last.length === part.byteOffset) {
      this.list[this.list.length - 1] = Buffer.from(part.buffer, last.byteOffset, last.length + part.length)
    } else if (part.length > 0) {
      this.list.push(part)
    }
  }
}
