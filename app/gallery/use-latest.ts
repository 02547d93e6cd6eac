'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Returns a ref with the latest `value`, so that components that take it do not render again when it changes. For event handlers only. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
