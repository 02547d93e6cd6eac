'use client'

import { Eye } from 'lucide-react'
import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import type { Visibility } from '#app/connection/trpc.ts'
import { visibilities, visibilityIcons } from '#app/image/visibilities.ts'
import { Confirm } from '#app/ui/confirm.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { BarButton } from './selection-bar.tsx'

/** Sets the visibility of the selected images. Asks before they become private, because that deletes their links permanently. */
export function VisibilityMenu({ amount, onSet }: { amount: number; onSet: (to: Visibility) => void }) {
  const t = useTranslations('gallery')
  const tImage = useTranslations('image')
  const [isAsking, setIsAsking] = useState(false)
  const choose = (visibility: Visibility) => (visibility === 'private' ? setIsAsking(true) : onSet(visibility))
  return (
    <>
      <MenuTrigger>
        <BarButton icon={Eye} word={t('visibility')} isDisabled={amount === 0} />
        <Menu aria-label={t('visibility')}>
          {visibilities.map((visibility) => (
            <MenuItem
              key={visibility}
              icon={visibilityIcons[visibility]}
              label={tImage(`visibilityName.${visibility}`)}
              onAction={() => choose(visibility)}
            />
          ))}
        </Menu>
      </MenuTrigger>
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
