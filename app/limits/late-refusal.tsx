'use client'

import { late } from '#app/ui/late.tsx'
import type { RefusalNoticeProps } from './refusal-notice.tsx'

const RefusalNotice = late(() => import('./refusal-notice.tsx').then((module) => module.RefusalNotice))

/** A RefusalNotice, loaded when a call is first refused. */
export function LateRefusal(props: RefusalNoticeProps) {
  return <RefusalNotice {...props} />
}
