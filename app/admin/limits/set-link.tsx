'use client'

import { type ReactNode, useSyncExternalStore } from 'react'

/** The ID of a rule set's row. */
export const setId = (name: string): string => `set-${name}`

/** A link to a rule set on the page. */
export function SetLink({ name, children = name }: { name: string; children?: ReactNode }) {
  return (
    <a href={`#${setId(name)}`} className="rounded-sm text-water hover:underline">
      {children}
    </a>
  )
}

const replaced = new EventTarget()

function subscribe(onChange: () => void): () => void {
  window.addEventListener('hashchange', onChange)
  replaced.addEventListener('hash', onChange)
  return () => {
    window.removeEventListener('hashchange', onChange)
    replaced.removeEventListener('hash', onChange)
  }
}

/** The open rule set, which the URL's hash names; '' for none, as on the server. */
export function useOpenSet(): string {
  return useSyncExternalStore(
    subscribe,
    () => /^#set-(.*)$/.exec(window.location.hash)?.[1] ?? '',
    () => '',
  )
}

/** Opens a rule set, or none, without a history entry and without scrolling. */
export function openSet(name: string): void {
  const { pathname, search } = window.location
  window.history.replaceState(window.history.state, '', `${pathname}${search}${name && `#${setId(name)}`}`)
  replaced.dispatchEvent(new Event('hash'))
}
