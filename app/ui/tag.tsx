const tones = {
  water: 'bg-water-soft text-water',
  gate: 'bg-gate-soft text-gate',
  plain: 'bg-sunken text-ink-soft',
  danger: 'bg-danger-soft text-danger',
} as const

/** A word that labels a row of a list. */
export function Tag({ tone, children }: { tone: keyof typeof tones; children: string }) {
  return (
    <span className={`rounded-sm px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}>{children}</span>
  )
}
