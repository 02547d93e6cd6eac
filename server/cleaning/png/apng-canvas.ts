import type { FrameControl } from './apng-order.ts'

/** The canvas of an APNG, frame by frame (PNG 3rd edition, 11.3.6.2), in 8-bit RGBA. */
export class ApngCanvas {
  readonly #width: number
  readonly #pixels: Buffer
  /** Applies the last frame's disposal to its rectangle. */
  #dispose = () => {}
  #isFirst = true

  constructor(width: number, height: number) {
    this.#width = width
    this.#pixels = Buffer.alloc(width * height * 4)
  }

  /** Draws a frame's decoded rectangle and returns the canvas itself, which the next call changes. */
  draw(frame: FrameControl, rgba: Uint8Array): Buffer {
    this.#dispose()
    this.#dispose = this.#createDisposal(frame)
    this.#isFirst = false
    const rowBytes = frame.width * 4
    for (const [row, start] of this.#rows(frame).entries()) {
      const source = rgba.subarray(row * rowBytes, (row + 1) * rowBytes)
      if (frame.blend === 0) this.#pixels.set(source, start)
      else blendRow(this.#pixels, start, source)
    }
    return this.#pixels
  }

  #createDisposal(frame: FrameControl): () => void {
    const rowBytes = frame.width * 4
    // Before the first frame, the canvas is empty.
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

  /** Returns the offsets of the rows of a frame's rectangle. */
  #rows({ x, y, height }: FrameControl): number[] {
    return Array.from({ length: height }, (_, row) => ((y + row) * this.#width + x) * 4)
  }
}

/** Alpha compositing with integers (PNG 3rd edition, 13.16). */
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
