'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

/** Loads more when the end of a list comes near. */
export function LoadMore({ isWanted, onNear }: { isWanted: boolean; onNear: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const element = mark.current
    if (!element || !isWanted) return
    // A busy page reports several changes at once. Only the last counts.
    const hear = (changes: readonly IntersectionObserverEntry[]) => changes.at(-1)?.isIntersecting && near()
    const observer = new IntersectionObserver(hear, { rootMargin: '900px 0px' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isWanted])
  return <div ref={mark} aria-hidden="true" className="h-px" />
}
