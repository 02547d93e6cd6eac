import { findMiddle, measureDistance, type Point, wheelFactor } from './scales.ts'
import type { ZoomKit } from './zoom-kit.ts'

/** How far a pointer may move during a click, and a finger between two taps, in pixels; and how soon the second comes (ms). */
const STILL = 5
const NEAR = 30
const SOON_MS = 300

/** Zooms and moves the picture by wheel, mouse and fingers, until `signal` is aborted. */
export function listenForGestures(viewport: HTMLElement, kit: ZoomKit, signal: AbortSignal): void {
  listenForWheel(viewport, kit, signal)
  listenForMouse(viewport, kit, signal)
  listenForTouch(viewport, kit, signal)
}

function listenForWheel(viewport: HTMLElement, kit: ZoomKit, signal: AbortSignal): void {
  const turn = (event: WheelEvent) => {
    if (!meansZoom(event, kit.stage?.zoom ?? 'fit')) return
    event.preventDefault()
    kit.zoomTo(kit.scale * wheelFactor(event), { x: event.clientX, y: event.clientY })
  }
  viewport.addEventListener('wheel', turn, { passive: false, signal })
}

/** A wheel scrolls a long picture that is shown by its width; and the page where there is nothing to zoom out of, or where the
 *  page has been scrolled. */
function meansZoom({ deltaX, deltaY, shiftKey, ctrlKey, metaKey }: WheelEvent, zoom: string | number): boolean {
  if (ctrlKey || metaKey) return true
  if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY) || zoom === 'width') return false
  return zoom !== 'fit' || (deltaY < 0 && window.scrollY === 0)
}

function listenForMouse(viewport: HTMLElement, kit: ZoomKit, signal: AbortSignal): void {
  let from: Point | null = null
  let hasMoved = false
  let hasZoomed = false
  const on = { signal }
  viewport.addEventListener('dragstart', (event) => event.preventDefault(), on)
  viewport.addEventListener(
    'pointerdown',
    ({ pointerType, button, clientX: x, clientY: y }) => {
      from = pointerType === 'mouse' && button === 0 ? { x, y } : null
      hasMoved = false
    },
    on,
  )
  const move = ({ clientX: x, clientY: y, buttons }: PointerEvent) => {
    if (!from || (buttons & 1) === 0) return
    hasMoved ||= measureDistance(from, { x, y }) > STILL
    if (!hasMoved) return
    viewport.scrollBy({ left: from.x - x, top: from.y - y, behavior: 'instant' })
    from = { x, y }
  }
  window.addEventListener('pointermove', move, on)
  viewport.addEventListener(
    'click',
    (event) => {
      const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
      // Without a pointer the picture is a link like any other; so it is before this has been loaded.
      if (event.detail === 0 || !isPlain || !isOnPicture(event, kit)) return
      event.preventDefault()
      if (event.detail > 1) return
      hasZoomed = from !== null && !hasMoved && typeof kit.stage?.zoom !== 'number'
      if (hasZoomed) kit.toggle({ x: event.clientX, y: event.clientY })
    },
    on,
  )
  viewport.addEventListener(
    'dblclick',
    (event) => {
      // Its first click may have zoomed in already.
      if (isOnPicture(event, kit) && !hasZoomed) kit.toggle({ x: event.clientX, y: event.clientY })
    },
    on,
  )
}

const isOnPicture = ({ target }: Event, kit: ZoomKit): boolean =>
  target instanceof Node && (kit.stage?.picture.contains(target) ?? false)

function listenForTouch(viewport: HTMLElement, kit: ZoomKit, signal: AbortSignal): void {
  let pinch: { middle: Point; distance: number } | null = null
  let start: Point | null = null
  let tap: { at: Point; time: number } | null = null
  const begin = (event: TouchEvent) => {
    const fingers = readFingers(event)
    pinch = fingers && { middle: findMiddle(...fingers), distance: measureDistance(...fingers) }
    const [touch] = event.touches
    start = touch && !pinch ? { x: touch.clientX, y: touch.clientY } : null
    if (pinch && event.cancelable) event.preventDefault()
  }
  const move = (event: TouchEvent) => {
    const fingers = readFingers(event)
    if (!pinch || !fingers) return
    if (event.cancelable) event.preventDefault()
    const [middle, distance] = [findMiddle(...fingers), measureDistance(...fingers)]
    kit.zoomTo((kit.scale * distance) / pinch.distance, pinch.middle, middle)
    pinch = { middle, distance }
  }
  const end = (event: TouchEvent) => {
    const [touch] = event.changedTouches
    const wasPinch = pinch !== null
    if (event.touches.length < 2) pinch = null
    const at = touch && { x: touch.clientX, y: touch.clientY }
    const isTap = at && start && !wasPinch && measureDistance(start, at) < NEAR && isOnPicture(event, kit)
    if (!isTap) {
      tap = null
      return
    }
    const isSecond = tap && event.timeStamp - tap.time < SOON_MS && measureDistance(tap.at, at) < NEAR
    tap = isSecond ? null : { at, time: event.timeStamp }
    if (!isSecond) return
    event.preventDefault()
    kit.toggle(at)
  }
  viewport.addEventListener('touchstart', begin, { passive: false, signal })
  viewport.addEventListener('touchmove', move, { passive: false, signal })
  viewport.addEventListener('touchend', end, { passive: false, signal })
}

function readFingers({ touches }: TouchEvent): [Point, Point] | null {
  const [one, other] = touches
  if (!one || !other || touches.length !== 2) return null
  return [
    { x: one.clientX, y: one.clientY },
    { x: other.clientX, y: other.clientY },
  ]
}
