import type { Zoom } from './zoom.ts'

interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The largest scale, in CSS pixels per pixel. */
export const MOST = 8

/** The scales that buttons and keys go through. */
const STEPS = [0.05, 0.1, 0.17, 0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6, MOST] as const

/** The scale at which a picture fits into a box; no larger than it is. */
export const fitScale = (picture: Size, box: Size): number =>
  Math.min(1, box.width / picture.width, box.height / picture.height)

/** The next scale up or down that differs visibly. */
export function nextStep(scale: number, direction: 'in' | 'out'): number {
  const [least, most] = [scale * 1.02, scale / 1.02]
  return direction === 'in'
    ? (STEPS.find((step) => step >= least) ?? MOST)
    : (STEPS.findLast((step) => step <= most) ?? STEPS[0])
}

/** The zoom for a wanted scale: zooming out ends where the whole picture is shown. */
export function limitScale(scale: number, from: number, fit: number): Zoom {
  return scale < from && scale <= fit ? 'fit' : Math.min(scale, MOST)
}

/** The scale that a double click zooms to: full size, or twice the size if that is shown already. */
export const toggledScale = (scale: number): number => (scale < 0.95 ? 1 : Math.min(MOST, scale * 2))

/** Pixels of a wheel's line and page, and of its coarsest notch. */
const LINE = 33
const PAGE = 300
const NOTCH = 200

/** By what a turn of the wheel zooms. A touchpad's pinch comes as small turns with the control key. */
export function wheelFactor({
  deltaY,
  deltaMode,
  ctrlKey,
}: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'ctrlKey'>): number {
  const pixels = deltaY * (deltaMode === 1 ? LINE : deltaMode === 2 ? PAGE : 1)
  const turn = Math.max(-NOTCH, Math.min(NOTCH, pixels))
  return Math.exp(turn * (ctrlKey && Math.abs(turn) < 50 ? -0.01 : -0.002))
}

export const findMiddle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

export const measureDistance = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))

/** Where a point lies in a box, each from 0 to 1. */
export function shareWithin({ x, y }: Point, box: Size & { readonly left: number; readonly top: number }): Point {
  const share = (at: number, length: number) => Math.max(0, Math.min(1, at / Math.max(1, length)))
  return { x: share(x - box.left, box.width), y: share(y - box.top, box.height) }
}
