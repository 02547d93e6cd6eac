interface Point {
  readonly x: number
  readonly y: number
}

/** Pixels that a finger must move sideways, and how much more so than up or down. */
const FAR = 48
const SLOPE = 1.5

/** Which neighbour a finger asks for that went from one point to another: it pulls the next one in from the right. */
export function swipeOf(from: Point, to: Point): 'previous' | 'next' | null {
  const [x, y] = [to.x - from.x, to.y - from.y]
  if (Math.abs(x) < FAR || Math.abs(x) < SLOPE * Math.abs(y)) return null
  return x < 0 ? 'next' : 'previous'
}
