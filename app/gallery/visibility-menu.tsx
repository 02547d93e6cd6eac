'use client'

import { Eye } from 'lucide-react'
import { MenuTrigger } from 'react-aria-components'
import type { Visibility } from '#app/connection/trpc.ts'
import { visibilities, visibilityIcons, visibilityNames } from '#app/image/visibilities.ts'
import { Button } from '#app/ui/button.tsx'
import { Menu, MenuItem } from '#app/ui/menu.tsx'

/** Says of the selected images who may see them. */
export function VisibilityMenu({ isDisabled, onSet }: { isDisabled: boolean; onSet: (to: Visibility) => void }) {
  return (
    <MenuTrigger>
      <Button tone="quiet" size="small" isDisabled={isDisabled}>
        <Eye size={16} /> <span className="max-md:sr-only">Who can see</span>
      </Button>
      <Menu aria-label="Who can see them">
        {visibilities.map((visibility) => (
          <MenuItem
            key={visibility}
            icon={visibilityIcons[visibility]}
            label={visibilityNames[visibility]}
            onAction={() => onSet(visibility)}
          />
        ))}
      </Menu>
    </MenuTrigger>
  )
}
