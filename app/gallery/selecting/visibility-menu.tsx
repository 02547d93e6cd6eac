'use client'

import { Eye } from 'lucide-react'
import { useState } from 'react'
import { MenuTrigger } from 'react-aria-components'
import type { Visibility } from '#app/connection/trpc.ts'
import { visibilities, visibilityIcons, visibilityNames } from '#app/image/visibilities.ts'
import { Confirm } from '#app/ui/confirm.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'
import { count } from '#format/counts.ts'
import { BarButton } from './selection-bar.tsx'

/** Says of the selected images who may see them. Asks before links are lost: nothing brings those back. */
export function VisibilityMenu({ amount, onSet }: { amount: number; onSet: (to: Visibility) => void }) {
  const [isAsking, setIsAsking] = useState(false)
  const choose = (visibility: Visibility) => (visibility === 'private' ? setIsAsking(true) : onSet(visibility))
  return (
    <>
      <MenuTrigger>
        <BarButton icon={Eye} word="Who can see" isDisabled={amount === 0} />
        <Menu aria-label="Who can see them">
          {visibilities.map((visibility) => (
            <MenuItem
              key={visibility}
              icon={visibilityIcons[visibility]}
              label={visibilityNames[visibility]}
              onAction={() => choose(visibility)}
            />
          ))}
        </Menu>
      </MenuTrigger>
      <Confirm
        isOpen={isAsking}
        title={`Make ${count(amount, 'image')} private?`}
        action="Make private"
        onClose={() => setIsAsking(false)}
        onConfirm={() => onSet('private')}
      >
        {amount === 1 ? 'Its' : 'Their'} links that you gave away stop working for good; sharing again makes new ones.
      </Confirm>
    </>
  )
}
