'use client'

import dynamic from 'next/dynamic'

/** A RefusalNotice, loaded when a call is first refused, and in HTML for forms that work without script. */
export const LateRefusal = dynamic(() => import('./refusal-notice.tsx').then((module) => module.RefusalNotice), {
  // With a boundary of its own: without one the page would show nothing else until it is loaded.
  loading: () => null,
})
