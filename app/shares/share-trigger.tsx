'use client'

import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { ShareTarget } from './draft.ts'

const ShareDialog = lazy(() => import('./share-dialog.tsx'))

/** Opens the dialog that shares something, which is loaded when it is first needed. */
export function ShareTrigger({ target, children }: { target: ShareTarget; children: (open: () => void) => ReactNode }) {
  const [shown, setShown] = useState<ShareTarget | null>(null)
  return (
    <>
      {children(() => setShown(target))}
      {shown && (
        <Suspense fallback={null}>
          <ShareDialog target={shown} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </>
  )
}
