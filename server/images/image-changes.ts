/** Tells whoever keeps something of images in memory which of them this process has changed: after the change is made, so
 *  that whoever looks again sees it. */
export class ImageChanges {
  readonly #listeners: ((ids: readonly string[] | 'any') => void)[] = []

  hear(listener: (ids: readonly string[] | 'any') => void): void {
    this.#listeners.push(listener)
  }

  /** By their ids; 'any' where they were too many to name. */
  tell(ids: readonly string[] | 'any'): void {
    for (const listener of this.#listeners) listener(ids)
  }
}
