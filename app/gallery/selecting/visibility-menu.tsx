'use client'

import { Eye } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { Visibility } from '#app/connection/trpc.ts'
import { Confirm } from '#app/ui/confirm.tsx'
import { late } from '#app/ui/late.tsx'
import { useMenuButton } from '#app/ui/use-menu-button.ts'
import { BarButton } from './selection-bar.tsx'

const VisibilityItems = late(() => import('./visibility-items.tsx'))

/** Sets the visibility of the selected images. Asks before they become private, because that deletes their links permanently. */
export function VisibilityMenu({ amount, onSet }: { amount: number; onSet: (to: Visibility) => void }) {
  const t = useTranslations('gallery')
  const { button, isOpen, popover } = useMenuButton(VisibilityItems.load)
  const [isAsking, setIsAsking] = useState(false)
  const choose = (visibility: Visibility) => (visibility === 'private' ? setIsAsking(true) : onSet(visibility))
  return (
    <>
      <BarButton {...button} until="wide" icon={Eye} word={t('visibility')} isDisabled={amount === 0} />
      {isOpen && <VisibilityItems popover={popover} onChoose={choose} />}
      <Confirm
        isOpen={isAsking}
        title={t('makePrivateTitle', { count: amount })}
        action={t('makePrivate')}
        onClose={() => setIsAsking(false)}
        onConfirm={() => onSet('private')}
      >
        {t('makePrivateText', { count: amount })}
      </Confirm>
    </>
  )
}
