'use client'

import type { ReactNode } from 'react'
import { Button, type ButtonProps } from 'react-aria-components'
import { buttonClass, type Tone } from './button-class.ts'
import { namedByTip, Tip } from './tip.tsx'

interface Props extends Omit<ButtonProps, 'aria-label' | 'children' | 'className'> {
  /** The accessible name, shown in the tooltip. */
  label: string
  /** `bare` leaves the look to the caller. */
  tone?: Tone | 'bare'
  size?: 'icon' | 'icon-small'
  className?: string
  children: ReactNode
}

/** A button with only an icon. */
export function IconButton({ label, tone = 'quiet', size = 'icon-small', className = '', ...props }: Props) {
  const look = tone === 'bare' ? '' : buttonClass(tone, size)
  return (
    <Tip text={label}>
      <Button {...props} {...namedByTip} aria-label={label} className={`${look} ${className}`} />
    </Tip>
  )
}
