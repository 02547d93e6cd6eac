import type { ReactNode } from 'react'
import { buttonClass, type Tone } from '#app/ui/button-class.ts'

/** The button of a form. It keeps the focus while the form is sent. */
export function Submit(props: { tone?: Tone; isBusy: boolean; isHeldBack: boolean; children: ReactNode }) {
  const { tone = 'primary', isBusy, isHeldBack, children } = props
  return (
    <button
      type="submit"
      disabled={isHeldBack}
      aria-disabled={isBusy || undefined}
      data-pending={isBusy || undefined}
      className={buttonClass(tone)}
    >
      {children}
    </button>
  )
}
