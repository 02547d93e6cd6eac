'use client'

import type { Ref } from 'react'
import { Button as AriaButton, type ButtonProps, composeRenderProps } from 'react-aria-components'
import { type ButtonSize, buttonClass, type Tone } from './button-class.ts'

interface Props extends ButtonProps {
  ref?: Ref<HTMLButtonElement>
  tone?: Tone
  /** Use IconButton for a button with only an icon. */
  size?: Exclude<ButtonSize, 'icon' | 'icon-small'>
}

export function Button({ tone = 'plain', size = 'medium', ...props }: Props) {
  return (
    <AriaButton
      {...props}
      className={composeRenderProps(props.className, (className) => `${buttonClass(tone, size)} ${className ?? ''}`)}
    />
  )
}
