import { MAX_HIDDEN_PIXELS } from './caps.ts'

export interface CanvasSize {
  readonly width: number
  readonly height: number
}

/** Where a frame is drawn; it may reach beyond the canvas. */
export interface FrameRectangle extends CanvasSize {
  readonly x: number
  readonly y: number
}

/** Returns the canvas to write for these frames: the stated one, unless they leave too much of it empty, since a browser
 *  allocates all of it. Then it is cut at the right and at the bottom to what they draw; null if that is not enough. */
export function fitCanvas(stated: CanvasSize, frames: readonly FrameRectangle[]): CanvasSize | null {
  if (isFilled(stated, frames)) return stated
  const cut = {
    width: Math.min(stated.width, Math.max(...frames.map(({ x, width }) => x + width))),
    height: Math.min(stated.height, Math.max(...frames.map(({ y, height }) => y + height))),
  }
  return isFilled(cut, frames) ? cut : null
}

const isFilled = (canvas: CanvasSize, frames: readonly FrameRectangle[]): boolean =>
  canvas.width * canvas.height - drawnPixels(canvas, frames) <= MAX_HIDDEN_PIXELS

/** Returns how many pixels of the canvas at least one frame covers: sweeps from the left, column by column of equal
 *  coverage. */
function drawnPixels({ width, height }: CanvasSize, frames: readonly FrameRectangle[]): number {
  const inside = frames
    .map((frame) => ({
      left: Math.min(frame.x, width),
      right: Math.min(frame.x + frame.width, width),
      top: Math.min(frame.y, height),
      bottom: Math.min(frame.y + frame.height, height),
    }))
    .sort((one, other) => one.top - other.top)
  const edges = [...new Set(inside.flatMap(({ left, right }) => [left, right]))].sort((one, other) => one - other)
  let pixels = 0
  for (const [index, left] of edges.entries()) {
    let [rows, covered] = [0, 0]
    for (const frame of inside) {
      if (frame.left > left || frame.right <= left) continue
      rows += Math.max(0, frame.bottom - Math.max(frame.top, covered))
      covered = Math.max(covered, frame.bottom)
    }
    pixels += rows * ((edges[index + 1] ?? left) - left)
  }
  return pixels
}
