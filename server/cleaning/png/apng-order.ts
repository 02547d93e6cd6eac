import type { CanvasSize, FrameRectangle } from '../canvas.ts'
import { MAX_FRAMES } from '../caps.ts'
import type { CleaningRefusal } from '../cleaning.ts'

/** A frame's position on the canvas, its duration and its disposal (PNG 3rd edition, 11.3.6.2). */
export interface FrameControl extends FrameRectangle {
  readonly delayMs: number
  /** 0: none, 1: clear to background, 2: restore previous. */
  readonly dispose: number
  /** 0: replace, 1: blend over. */
  readonly blend: number
}

/** Reads an fcTL chunk, skipping its sequence number. Null when the length or an operation is invalid. */
export function readFrameControl(data: Buffer): FrameControl | null {
  if (data.length !== 26) return null
  const [dispose = 0, blend = 0] = data.subarray(24)
  if (dispose > 2 || blend > 1) return null
  const denominator = data.readUInt16BE(22) || 100
  return {
    width: data.readUInt32BE(4),
    height: data.readUInt32BE(8),
    x: data.readUInt32BE(12),
    y: data.readUInt32BE(16),
    delayMs: Math.round((data.readUInt16BE(20) * 1000) / denominator),
    dispose,
    blend,
  }
}

/** Checks the order of an animation's chunks: consecutive sequence numbers, a control before each frame's data, a first
 *  frame that covers the canvas if the default image is its data, and as many frames as announced. */
export class ApngOrder {
  readonly frames: number
  readonly places: FrameRectangle[] = []
  readonly #canvas: CanvasSize
  #sequence = 0
  #control: FrameControl | null = null
  /** The last chunk: a control expects data, and the default image must have all of its data. */
  #last: 'nothing' | 'control' | 'image' | 'data' = 'nothing'

  private constructor(frames: number, canvas: CanvasSize) {
    this.frames = frames
    this.#canvas = canvas
  }

  /** Starts from an acTL chunk's data. */
  static begin(data: Buffer, canvas: CanvasSize): ApngOrder | CleaningRefusal {
    const frames = data.length === 8 ? data.readUInt32BE(0) : 0
    if (frames === 0) return 'undecodable'
    return frames > MAX_FRAMES ? 'too-many-pixels' : new ApngOrder(frames, canvas)
  }

  /** Accepts an fcTL chunk's data; false when it is out of order or outside of the canvas. */
  takeControl(data: Buffer, afterImage: boolean): boolean {
    const control = readFrameControl(data)
    if (!control || !this.#isNext(data) || this.#last === 'control') return false
    const { width, height, x, y } = control
    const canvas = this.#canvas
    if (width === 0 || height === 0 || x + width > canvas.width || y + height > canvas.height) return false
    if (!afterImage && (width !== canvas.width || height !== canvas.height)) return false
    this.#control = control
    this.#last = 'control'
    this.places.push(control)
    return true
  }

  /** Called when the default image begins, which is the first frame if a control preceded it. */
  takeImage(): void {
    if (this.#last === 'control') this.#last = 'image'
  }

  /** Accepts an fdAT chunk's data and returns the frame it belongs to; null when it is out of order. */
  takeData(data: Buffer, afterImage: boolean): { frame: FrameControl; begins: boolean } | null {
    const begins = this.#last === 'control'
    if (data.length < 4 || !afterImage || !this.#control || !this.#isNext(data)) return null
    if (!begins && this.#last !== 'data') return null
    this.#last = 'data'
    return { frame: this.#control, begins }
  }

  isComplete(): boolean {
    return this.places.length === this.frames && this.#last !== 'control'
  }

  #isNext(data: Buffer): boolean {
    const next = data.readUInt32BE(0) === this.#sequence
    this.#sequence += 1
    return next
  }
}
