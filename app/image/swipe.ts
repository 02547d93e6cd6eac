interface Point {
  readonly x: number
  readonly y: number
}

/** The minimum horizontal distance of a swipe in pixels, and its minimum ratio to the vertical one. */
const FAR = 48
const SLOPE = 1.5

/** Returns which image a swipe from one point to another requests. A swipe to the left requests the next. */
export function readSwipe(from: Point, to: Point): 'previous' | 'next' | null {
  const [x, y] = [to.x - from.x, to.y - from.y]
  if (Math.abs(x) < FAR || Math.abs(x) < SLOPE * Math.abs(y)) return null
  return x < 0 ? 'next' : 'previous'
}
