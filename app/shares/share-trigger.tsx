'use client'

import { type ReactNode, useState } from 'react'
import { late } from '#app/ui/late.tsx'
import type { ShareTarget } from './draft.ts'

const ShareDialog = late(() => import('./share-dialog.tsx'))

/** Opens the dialog that shares something, which is loaded when it is first needed. */
export function ShareTrigger({ target, children }: { target: ShareTarget; children: (open: () => void) => ReactNode }) {
  const [shown, setShown] = useState<ShareTarget | null>(null)
  return (
    <>
      {children(() => setShown(target))}
      {shown && <ShareDialog target={shown} onClose={() => setShown(null)} />}
    </>
  )
}
