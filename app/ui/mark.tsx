/** The logo: a sluice with its blade raised and water running below. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={className} fill="none">
      <path d="M3.3 25V3.8h21.4V25" stroke="currentColor" strokeWidth="2.6" strokeLinecap="square" />
      <path d="M8 4h12v9.4H8z" fill="currentColor" />
      <g className="stroke-water" strokeWidth="2.1" strokeLinecap="round">
        <path d="M6.8 18.9q1.8-2.1 3.6 0t3.6 0 3.6 0 3.6 0" />
        <path d="M6.8 23.9q1.8-2.1 3.6 0t3.6 0 3.6 0 3.6 0" />
      </g>
    </svg>
  )
}

export function Wordmark() {
  return (
    <span className="flex items-center gap-2.5">
      <Mark className="size-6" />
      <span className="text-[1.0625rem] font-semibold tracking-[-0.02em]">Sluice</span>
    </span>
  )
}
