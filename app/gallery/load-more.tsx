'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

/** Asks for more when the end of a list comes near. */
export function LoadMore({ isWanted, onNear }: { isWanted: boolean; onNear: () => void }) {
  const mark = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    const element = mark.current
    if (!element || !isWanted) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), { rootMargin: '900px 0px' })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isWanted])
  return <div ref={mark} aria-hidden="true" className="h-px" />
}
