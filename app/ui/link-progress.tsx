'use client'

import { useLinkStatus } from 'next/link'

/** A line along the top of the window, or of the bar that the link is in, while the page that the link leads to is loading. Shown only
 *  if that takes longer than a moment. */
export function LinkProgress() {
  const { pending } = useLinkStatus()
  return (
    pending && (
      <span
        aria-hidden="true"
        className="pointer-events-none fixed inset-x-0 top-0 z-50 h-0.5 animate-progress bg-linear-to-r from-transparent via-water to-transparent bg-size-[50%_100%] bg-no-repeat motion-reduce:bg-water motion-reduce:bg-size-[100%_100%]"
      />
    )
  )
}
