import { fitScale, limitScale, nextStep, type Point, shareWithin, toggledScale } from './scales.ts'
import { firstZoom, type Zoom } from './zoom.ts'

/** The stage as it is now. */
export interface ZoomStage {
  /** The element that the picture scrolls in. */
  readonly viewport: HTMLElement
  readonly picture: HTMLElement
  readonly size: { readonly width: number; readonly height: number }
  readonly zoom: Zoom
  /** Applies a zoom at once. */
  set(zoom: Zoom): void
}

/** Pixels that an arrow key moves a picture by. */
const STRIDE = 80

/** Zooms and moves the picture on a stage. Loaded when it is first needed. */
export class ZoomKit {
  readonly #find: () => ZoomStage | null

  constructor(find: () => ZoomStage | null) {
    this.#find = find
  }

  get stage(): ZoomStage | null {
    return this.#find()
  }

  /** CSS pixels per pixel. */
  get scale(): number {
    const stage = this.stage
    return stage ? stage.picture.getBoundingClientRect().width / stage.size.width : 1
  }

  /** Changes the zoom; what is at `from` on the screen is at `to` afterwards. */
  set(zoom: Zoom, from?: Point, to = from): void {
    const stage = this.stage
    if (!stage) return
    const { viewport, picture } = stage
    const box = viewport.getBoundingClientRect()
    const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 }
    const [held, target] = [from ?? middle, to ?? middle]
    const share = shareWithin(held, picture.getBoundingClientRect())
    stage.set(zoom)
    const after = picture.getBoundingClientRect()
    viewport.scrollLeft += after.left + share.x * after.width - target.x
    viewport.scrollTop += after.top + share.y * after.height - target.y
  }

  zoomTo(scale: number, from?: Point, to?: Point): void {
    const stage = this.stage
    if (!stage) return
    const { viewport, size } = stage
    const fit = fitScale(size, { width: viewport.clientWidth, height: viewport.clientHeight })
    this.set(limitScale(scale, this.scale, fit), from, to)
  }

  step(direction: 'in' | 'out'): void {
    this.zoomTo(nextStep(this.scale, direction))
  }

  /** Zooms in, or back to how the image opened. */
  toggle(at: Point): void {
    const stage = this.stage
    if (stage) this.set(typeof stage.zoom === 'number' ? firstZoom(stage.size) : toggledScale(this.scale), at)
  }

  /** Moves the picture towards an arrow; false if there is no more of it there, so that the key keeps its meaning. */
  move(key: string): boolean {
    const stage = this.stage
    const way = ways[key]
    if (!stage || !way || stage.zoom === 'fit') return false
    const { viewport, zoom } = stage
    const [across, down] = way
    if (across !== 0) {
      if (zoom === 'width' || viewport.scrollWidth <= viewport.clientWidth) return false
      viewport.scrollLeft += across * STRIDE
      return true
    }
    const before = viewport.scrollTop
    viewport.scrollTop += down * STRIDE
    return viewport.scrollTop !== before
  }
}

const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
