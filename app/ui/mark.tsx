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

interface WordmarkProps {
  name: string
  /** The site's own logo, by the digest in its address. */
  logo: { readonly hash: string; readonly width: number; readonly height: number } | null
}

/** A logo that is this much wider than high has the name in it. */
const WIDE = 2.2

/** The site's logo and name. */
export function Wordmark({ name, logo }: WordmarkProps) {
  const isWide = logo !== null && logo.width > WIDE * logo.height
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      {logo ? (
        <img
          src={`/brand/${logo.hash}/logo.png`}
          width={logo.width}
          height={logo.height}
          alt={isWide ? name : ''}
          className="h-7 w-auto max-w-40 shrink-0 object-contain object-left"
        />
      ) : (
        <Mark className="size-6 shrink-0" />
      )}
      {!isWide && (
        <span className="min-w-0 truncate text-[1.0625rem] font-semibold tracking-[-0.02em]" dir="auto">
          {name}
        </span>
      )}
    </span>
  )
}
