'use client'

import { useEffect, useState } from 'react'

/** Whether the stage covers the window, and what changes that. The browser's own full screen is used where it has one: of the whole
 *  document, so that messages stay visible. Phones without it show the stage over the page. */
export function useFullScreen() {
  const [isFull, setFull] = useState(false)
  useEffect(() => {
    const left = () => document.fullscreenElement === null && setFull(false)
    document.addEventListener('fullscreenchange', left)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      if (document.fullscreenElement) void document.exitFullscreen()
    }
  }, [])
  const toggle = () => {
    setFull(!isFull)
    if (isFull) {
      if (document.fullscreenElement) void document.exitFullscreen()
    } else if (document.fullscreenEnabled) {
      document.documentElement.requestFullscreen().catch(() => undefined)
    }
  }
  return { isFull, toggle }
}
