import type { ReactNode } from 'react'

const tones = {
  plain: 'bg-sunken text-ink',
  gate: 'bg-gate-soft text-gate',
  danger: 'bg-danger-soft text-danger',
} as const

/** A sentence about a failure or a disabled feature, announced when it appears. */
export function Notice({ tone = 'plain', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'note'}
      className={`rounded-md px-3 py-2.5 text-sm leading-snug ${tones[tone]}`}
    >
      {children}
    </div>
  )
}
