'use client'

import { useSyncExternalStore } from 'react'
import { type LinkFormat, linkFormats } from './snippets.ts'

const key = 'sluice-link-format'
const changed = new EventTarget()
let chosen: LinkFormat = 'image'

/** Returns the format in which links are copied. Each browser remembers its own; some refuse to store anything. */
export function readLinkFormat(): LinkFormat {
  let stored: string | null = null
  try {
    stored = window.localStorage.getItem(key)
  } catch {
    return chosen
  }
  return linkFormats.find((format) => format === stored) ?? chosen
}

export function setLinkFormat(format: LinkFormat): void {
  chosen = format
  try {
    window.localStorage.setItem(key, format)
  } catch {
    // Remembered until the page is left.
  }
  changed.dispatchEvent(new Event('change'))
}

function subscribe(listen: () => void): () => void {
  changed.addEventListener('change', listen)
  window.addEventListener('storage', listen)
  return () => {
    changed.removeEventListener('change', listen)
    window.removeEventListener('storage', listen)
  }
}

/** The format in which links are copied, in step with other tabs. */
export const useLinkFormat = (): LinkFormat => useSyncExternalStore(subscribe, readLinkFormat, () => 'image')
