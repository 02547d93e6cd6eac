'use client'

import { PlainButton, type PlainButtonProps } from './button.tsx'
import { buttonClass, type Tone } from './button-class.ts'
import { Tip } from './tip.tsx'

interface Props extends Omit<PlainButtonProps, 'aria-label'> {
  /** The accessible name, shown in the tooltip. */
  label: string
  /** `bare` leaves the look to the caller. */
  tone?: Tone | 'bare'
  size?: 'icon' | 'icon-small'
}

/** A button with only an icon. */
export function IconButton({ label, tone = 'quiet', size = 'icon-small', className = '', ...props }: Props) {
  const look = tone === 'bare' ? '' : buttonClass(tone, size)
  return (
    <Tip text={label}>
      <PlainButton {...props} aria-label={label} className={`${look} ${className}`} />
    </Tip>
  )
}
