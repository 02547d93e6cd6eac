'use client'

import { type ComponentProps, type MouseEvent, useEffect, useImperativeHandle, useRef } from 'react'
import { type ButtonSize, buttonClass, type Tone } from './button-class.ts'
import { forgetEarlyClick, repeatEarlyClick } from './early-click.ts'

export interface PlainButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'onClick'> {
  onPress?: (() => void) | undefined
  isDisabled?: boolean | undefined
  /** Keeps the focus, but does nothing. */
  isPending?: boolean | undefined
}

/** A button without a look. Inside a component of React Aria that finds its buttons by itself, use one of its own. */
export function PlainButton({ ref, onPress, isDisabled, isPending, type = 'button', ...props }: PlainButtonProps) {
  const own = useRef<HTMLButtonElement>(null)
  useImperativeHandle<HTMLButtonElement | null, HTMLButtonElement | null>(ref, () => own.current, [])
  useEffect(() => {
    if (own.current) repeatEarlyClick(own.current)
  }, [])
  const click = (event: MouseEvent) => {
    forgetEarlyClick()
    // Otherwise it would submit its form.
    if (isPending) event.preventDefault()
    else onPress?.()
  }
  return (
    <button
      {...props}
      ref={own}
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
