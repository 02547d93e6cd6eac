import type { RefObject } from 'react'

/** How far a pressed pointer moves, in pixels, before it drags. */
const START = 6

/** Near the edges of the window the page scrolls by this many pixels per frame. */
const EDGE = 96
const SPEED = 14

interface Options {
  readonly ghost: RefObject<HTMLElement | null>
  readonly onBegin: () => void
  /** Called with the pointer's last event when the pointer or the page has moved. */
  readonly onMove: (event: PointerEvent) => void
  readonly onDrop: () => void
  readonly onCancel: () => void
}

/** Follows a pressed pointer until it is released; Escape cancels. Returns a function that ends it. */
export function followPointer(
  pressed: PointerEvent,
  { ghost, onBegin, onMove, onDrop, onCancel }: Options,
): () => void {
  const done = new AbortController()
  const { signal } = done
  let last: PointerEvent | null = null
  const isOwn = ({ pointerId }: PointerEvent) => pointerId === pressed.pointerId
  const follow = () => {
    if (!last || signal.aborted) return
    const { clientY } = last
    const step = clientY < EDGE ? -SPEED : clientY > window.innerHeight - EDGE ? SPEED : 0
    if (step !== 0) {
      window.scrollBy({ top: step, behavior: 'instant' })
      onMove(last)
    }
    requestAnimationFrame(follow)
  }
  const end = (act: () => void) => {
    done.abort()
    if (!last) return
    swallowClick()
    act()
  }
  window.addEventListener(
    'pointermove',
    (event) => {
      if (!isOwn(event)) return
      const isFirst = last === null
      if (isFirst && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < START) return
      last = event
      if (isFirst) {
        onBegin()
        requestAnimationFrame(follow)
      }
      onMove(event)
      if (ghost.current) ghost.current.style.translate = `${event.clientX + 14}px ${event.clientY + 14}px`
    },
    { signal },
  )
  window.addEventListener('pointerup', (event) => isOwn(event) && end(onDrop), { signal })
  window.addEventListener('pointercancel', (event) => isOwn(event) && end(onCancel), { signal })
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape' || !last) return
      event.preventDefault()
      event.stopPropagation()
      end(onCancel)
    },
    { signal, capture: true },
  )
  return () => done.abort()
}

/** The release is no click on what lies under the pointer. A click that follows another press is one, even if it comes before the
 *  timer, which browsers may let wait for input. */
function swallowClick(): void {
  const released = new AbortController()
  const { signal } = released
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    released.abort()
  }
  window.addEventListener('click', swallow, { capture: true, signal })
  window.addEventListener('pointerdown', () => released.abort(), { capture: true, signal })
  setTimeout(() => released.abort())
}
