import type { FrameControl } from './apng-order.ts'

/** What an APNG's canvas shows, frame after frame: PNG 3rd edition, 11.3.6.2, in RGBA of 8 bits. */
export class ApngCanvas {
  readonly #width: number
  readonly #pixels: Buffer
  /** Gives the last frame's place back what its disposal says. */
  #dispose = () => {}
  #isFirst = true

  constructor(width: number, height: number) {
    this.#width = width
    this.#pixels = Buffer.alloc(width * height * 4)
  }

  /** Draws the frame's decoded rectangle. The answer is the canvas itself: the next frame is drawn onto it. */
  draw(frame: FrameControl, rgba: Uint8Array): Buffer {
    this.#dispose()
    this.#dispose = this.#disposalOf(frame)
    this.#isFirst = false
    const rowBytes = frame.width * 4
    for (const [row, start] of this.#rows(frame).entries()) {
      const source = rgba.subarray(row * rowBytes, (row + 1) * rowBytes)
      if (frame.blend === 0) this.#pixels.set(source, start)
      else blendRow(this.#pixels, start, source)
    }
    return this.#pixels
  }

  #disposalOf(frame: FrameControl): () => void {
    const rowBytes = frame.width * 4
    // What was before the first frame is the empty canvas.
    if (frame.dispose === 1 || (frame.dispose === 2 && this.#isFirst)) {
      return () => {
        for (const start of this.#rows(frame)) this.#pixels.fill(0, start, start + rowBytes)
      }
    }
    if (frame.dispose !== 2) return () => {}
    const before = this.#rows(frame).map((start) => Buffer.from(this.#pixels.subarray(start, start + rowBytes)))
    return () => {
      for (const [row, start] of this.#rows(frame).entries()) this.#pixels.set(before[row] ?? [], start)
    }
  }

  /** Where the rows of a frame's rectangle begin. */
  #rows({ x, y, height }: FrameControl): number[] {
    return Array.from({ length: height }, (_, row) => ((y + row) * this.#width + x) * 4)
  }
}

/** Alpha compositing in whole numbers: PNG 3rd edition, 13.16. */
function blendRow(pixels: Buffer, start: number, source: Uint8Array): void {
  for (let at = 0; at < source.length; at += 4) {
    const alpha = source[at + 3] ?? 0
    const to = start + at
    if (alpha === 0) continue
    const over = alpha * 255
    const under = (255 - alpha) * (pixels[to + 3] ?? 0)
    for (let colour = 0; colour < 3; colour += 1) {
      const mixed = (source[at + colour] ?? 0) * over + (pixels[to + colour] ?? 0) * under
      pixels[to + colour] = Math.floor(mixed / (over + under))
    }
    pixels[to + 3] = Math.floor((over + under) / 255)
  }
}
