/** The logo as a meter: the blade is down when a wait begins and rises as it passes. `progress` is 0 to 1. */
export function WaitMeter({ progress, className = 'size-5' }: { progress: number; className?: string }) {
  return (
    <svg viewBox="0 0 28 28" aria-hidden="true" className={className} fill="none">
      <path d="M3.3 25V3.8h21.4V25" stroke="currentColor" strokeWidth="2.8" strokeLinecap="square" />
      <path
        d="M8 4h12v9.6H8z"
        fill="currentColor"
        className="transition-transform duration-300 ease-linear"
        style={{ transform: `translateY(${(1 - progress) * 11}px)` }}
      />
    </svg>
  )
}
