/** Bytes passed to a connection at a time, before it asks for more. */
export const SLICE_BYTES = 128 * 1024

/** An image whose bytes are being sent. */
export interface ReadImage {
  readonly id: string
  readonly sha256: string
}

/** Counts the bytes of one answer, for the settlement of its permits. */
export class Transfer {
  #handed = 0
  #left = 0
  #owed = 0
  readonly #images: { readonly image: ReadImage; readonly from: number }[] = []

  /** The SHA-256 of the image that is being sent. */
  get object(): string | undefined {
    return this.#images.at(-1)?.image.sha256
  }

  /** Assigns all bytes from now on to this image. */
  begin(image: ReadImage): void {
    this.#images.push({ image, from: this.#handed })
  }

  /** Counts bytes that are paid for even if the client takes fewer. */
  owe(bytes: number): void {
    this.#owed += bytes
  }

  /**
   * Opens a read of `bytes`, which are paid for from then on, even if the client disconnects in the meantime, unless the
   * read cannot be opened.
   */
  async owing<T>(bytes: number, open: () => Promise<T>): Promise<T> {
    this.owe(bytes)
    try {
      return await open()
    } catch (error) {
      this.#owed -= bytes
      throw error
    }
  }

  /** Counts bytes that are being written to the connection. */
  hand(bytes: number): void {
    this.#handed += bytes
  }

  /** Marks everything written so far as having left this process. */
  markLeft(): void {
    this.#left = this.#handed
  }

  /**
   * The bytes that the client took. The first slice counts as soon as it is written, or a client that disconnects
   * before its last byte would read for free.
   */
  get taken(): number {
    return Math.max(this.#left, Math.min(this.#handed, SLICE_BYTES))
  }

  /** The bytes that are charged: those read for the client, or those it took if they are more, as with a zip's headers. */
  get charged(): number {
    return Math.max(this.#owed, this.taken)
  }

  /** Divides the bytes that the client took among the images, in order. */
  byImage(): { readonly image: ReadImage; readonly bytes: number }[] {
    const { taken } = this
    return this.#images.map(({ image, from }, index) => {
      const end = Math.min(this.#images[index + 1]?.from ?? taken, taken)
      return { image, bytes: Math.max(0, end - from) }
    })
  }
}
