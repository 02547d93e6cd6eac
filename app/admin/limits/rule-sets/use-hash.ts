'use client'

import { useSyncExternalStore } from 'react'

const replaced = new EventTarget()

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  replaced.addEventListener('hash', onChange)
  return () => {
    window.removeEventListener('hashchange', onChange)
    replaced.removeEventListener('hash', onChange)
  }
}

/** The URL's hash without #; empty on the server. */
export function useHash(): string {
  return useSyncExternalStore(
    subscribe,
    () => window.location.hash.slice(1),
    () => '',
  )
}

/** Changes the URL's hash without a history entry and without scrolling. */
export function replaceHash(hash: string): void {
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}${hash && `#${hash}`}`)
  replaced.dispatchEvent(new Event('hash'))
}
