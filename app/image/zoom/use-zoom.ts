'use client'

import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ImageItem } from '#app/connection/trpc.ts'
import { isTaken } from '#app/shell/key-command.ts'
import { firstZoom, type Zoom } from './zoom.ts'
import type { ZoomKit, ZoomStage } from './zoom-kit.ts'

/** Returns the zoom of an image, which begins anew with each, and what changes it. The code for that is loaded when somebody first
 *  points at the stage or presses a key. */
export function useZoom(image: ImageItem) {
  const [chosen, setChosen] = useState<{ readonly id: string; readonly zoom: Zoom } | null>(null)
  const zoom = chosen?.id === image.id ? chosen.zoom : firstZoom(image)
  const viewport = useRef<HTMLDivElement>(null)
  const latest = useRef<ZoomStage | null>(null)
  useLayoutEffect(() => {
    const picture = viewport.current?.querySelector<HTMLElement>('[data-picture]')
    const set = (next: Zoom) => flushSync(() => setChosen({ id: image.id, zoom: next }))
    latest.current =
      viewport.current && picture ? { viewport: viewport.current, picture, size: image, zoom, set } : null
  })

  const loading = useRef<Promise<ZoomKit> | null>(null)
  const loaded = useRef<ZoomKit | null>(null)
  const stop = useRef<AbortController | null>(null)
  const load = (): Promise<ZoomKit> => {
    loading.current ??= Promise.all([import('./zoom-kit.ts'), import('./gestures.ts')]).then(([parts, gestures]) => {
      const kit = new parts.ZoomKit(() => latest.current)
      loaded.current = kit
      if (viewport.current && stop.current) gestures.listenForGestures(viewport.current, kit, stop.current.signal)
      return kit
    })
    return loading.current
  }
  /** Runs at once if the code has been loaded, as an event's default can only be prevented then. */
  const run = (use: (kit: ZoomKit) => void) => (loaded.current ? use(loaded.current) : void load().then(use))
  const commands: Readonly<Record<string, () => void>> = {
    '+': () => run((kit) => kit.step('in')),
    '=': () => run((kit) => kit.step('in')),
    '-': () => run((kit) => kit.step('out')),
    '0': () => run((kit) => kit.set('fit')),
    '1': () => run((kit) => kit.set(1)),
    w: () => run((kit) => kit.set('width')),
  }
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || isTaken(event.target)) return
    if (!latest.current) return
    if (event.target instanceof Element && event.target.closest('[role=radiogroup]')) return
    const command = commands[event.key]
    if (command) command()
    else if (!loaded.current?.move(event.key)) {
      if (zoom !== 'fit' && event.key.startsWith('Arrow')) void load()
      return
    }
    event.preventDefault()
  })
  useEffect(() => {
    const controller = new AbortController()
    stop.current = controller
    window.addEventListener('keydown', (event) => press(event), { signal: controller.signal })
    return () => {
      controller.abort()
      loading.current = null
      loaded.current = null
    }
  }, [])
  return {
    zoom,
    viewport,
    /** Call when somebody points at the stage. */
    wake: () => void load(),
    step: (direction: 'in' | 'out') => run((kit) => kit.step(direction)),
    set: (next: Zoom) => run((kit) => kit.set(next)),
  }
}
