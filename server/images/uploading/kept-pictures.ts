import type { TempFolder } from '#server/storage/temp-folder.ts'
import { KEPT_AT_MOST, KEPT_BYTES } from '../decoder/decoder.ts'

/** A place for the picture of an upload, from before it is decoded until its variants are stored. */
export interface PicturePlace extends AsyncDisposable {
  /** Its folder. */
  readonly path: string
  /** Takes room for the pixels of the picture. Returns false if there is not enough. */
  takeRoom(bytes: number): boolean
}

interface KeptLimits {
  readonly atMost?: number
  readonly maxBytes?: number
}

/** The places for pictures of uploads whose larger variants follow their answer: bounded by number and by bytes on the disk. */
export class KeptPictures {
  readonly #temp: TempFolder
  readonly #atMost: number
  #room: number
  #count = 0

  constructor(temp: TempFolder, { atMost = KEPT_AT_MOST, maxBytes = KEPT_BYTES }: KeptLimits = {}) {
    this.#temp = temp
    this.#atMost = atMost
    this.#room = maxBytes
  }

  /** Returns null if all places are taken: the upload is then answered when all its variants are made. */
  async takePlace(): Promise<PicturePlace | null> {
    if (this.#count >= this.#atMost || this.#room <= 0) return null
    this.#count += 1
    let taken = 0
    const free = () => {
      this.#count -= 1
      this.#room += taken
    }
    try {
      const folder = await this.#temp.create()
      return {
        path: folder.path,
        takeRoom: (bytes) => {
          if (bytes > this.#room) return false
          this.#room -= bytes
          taken = bytes
          return true
        },
        async [Symbol.asyncDispose]() {
          try {
            await folder[Symbol.asyncDispose]()
          } finally {
            free()
          }
        },
      }
    } catch (error) {
      free()
      throw error
    }
  }
}
