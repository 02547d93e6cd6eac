'use client'

import type { ReactNode } from 'react'
import { Button, type ButtonProps } from 'react-aria-components'
import { buttonClass, type Tone } from './button-class.ts'
import { Tip } from './tip.tsx'

interface Props extends Omit<ButtonProps, 'aria-label' | 'children' | 'className'> {
  label: string
  tone?: Tone | 'bare'
  size?: 'icon' | 'icon-small'
  className?: string
  children: ReactNode
}

/** An IconButton inside a component of React Aria that finds its buttons by itself: a menu, a number field, a toast. */
export function AriaIconButton({ label, tone = 'quiet', size = 'icon-small', className = '', ...props }: Props) {
  const look = tone === 'bare' ? '' : buttonClass(tone, size)
  return (
    <Tip text={label}>
      <Button {...props} aria-label={label} className={`${look} ${className}`} />
    </Tip>
  )
}
