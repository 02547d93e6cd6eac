'use client'

import { useEffect, useRef, useState } from 'react'

/** Whether the stage covers the window, and what changes that. The browser's own full screen is used where it has one: of the whole
 *  document, so that messages stay visible. Phones without it show the stage over the page. */
export function useFullScreen() {
  const [isFull, setFull] = useState(false)
  // A browser takes a moment to enter or leave. Changes are made one after another, and their events are not the user's.
  const changes = useRef({ pending: 0, last: Promise.resolve() })
  const change = (full: boolean) => {
    setFull(full)
    const { current } = changes
    current.pending += 1
    current.last = current.last
      .then(() => showDocument(full))
      .catch(() => undefined)
      .finally(() => {
        current.pending -= 1
      })
  }
  useEffect(() => {
    const left = () => document.fullscreenElement === null && changes.current.pending === 0 && setFull(false)
    document.addEventListener('fullscreenchange', left)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      void changes.current.last.then(() => showDocument(false))
    }
  }, [])
  return { isFull, toggle: () => change(!isFull) }
}

async function showDocument(full: boolean): Promise<void> {
  if (!full && document.fullscreenElement) await document.exitFullscreen()
  if (full && document.fullscreenEnabled) await document.documentElement.requestFullscreen()
}
