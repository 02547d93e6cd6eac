'use client'

import type { ComponentProps, MouseEvent } from 'react'
import { type ButtonSize, buttonClass, type Tone } from './button-class.ts'

export interface PlainButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'onClick'> {
  onPress?: (() => void) | undefined
  isDisabled?: boolean | undefined
  /** Keeps the focus, but does nothing. */
  isPending?: boolean | undefined
}

/** A button without a look. Inside a component of React Aria that finds its buttons by itself, use one of its own. */
export function PlainButton({ onPress, isDisabled, isPending, type = 'button', ...props }: PlainButtonProps) {
  const click = (event: MouseEvent) => {
    // Otherwise it would submit its form.
    if (isPending) event.preventDefault()
    else onPress?.()
  }
  return (
    <button
      {...props}
      type={type}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      data-pending={isPending || undefined}
      onClick={click}
    />
  )
}

interface Props extends PlainButtonProps {
  tone?: Tone
  /** Use IconButton for a button with only an icon. */
  size?: Exclude<ButtonSize, 'icon' | 'icon-small'>
}

export function Button({ tone = 'plain', size = 'medium', className = '', ...props }: Props) {
  return <PlainButton {...props} className={`${buttonClass(tone, size)} ${className}`} />
}
