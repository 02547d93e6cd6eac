const ripples = [
  { y: 640, opacity: 0.95, d: 'M0 0q45-26 90 0t90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0' },
  { y: 690, opacity: 0.7, d: 'M-30 0q45-26 90 0t90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0' },
  { y: 740, opacity: 0.5, d: 'M-60 0q45-26 90 0t90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0' },
  { y: 790, opacity: 0.33, d: 'M-15 0q45-26 90 0t90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0' },
  { y: 840, opacity: 0.2, d: 'M-45 0q45-26 90 0t90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0 90 0' },
] as const

const frames = [
  { x: 92, y: 66, width: 150, height: 104 },
  { x: 262, y: 96, width: 82, height: 110 },
  { x: 364, y: 40, width: 170, height: 112 },
  { x: 556, y: 88, width: 96, height: 72 },
  { x: 60, y: 190, width: 96, height: 130 },
  { x: 176, y: 226, width: 148, height: 98 },
  { x: 456, y: 198, width: 142, height: 96 },
  { x: 618, y: 182, width: 84, height: 116 },
] as const

/** A large logo: pictures gather above the blade and pass below it, a few at a time. */
export function Weir() {
  return (
    <div className="relative hidden overflow-hidden border-l border-line bg-sunken lg:block">
      <svg
        aria-hidden="true"
        viewBox="0 0 760 900"
        preserveAspectRatio="xMidYMid slice"
        className="absolute inset-0 size-full"
        fill="none"
      >
        <g className="fill-surface stroke-line" strokeWidth="2">
          {frames.map((frame) => (
            <rect key={frame.x} {...frame} rx="4" />
          ))}
        </g>
        <g className="fill-water-soft">
          <path d="M92 150l44-46 38 36 24-20 44 34v12a4 4 0 0 1-4 4H96a4 4 0 0 1-4-4z" />
          <path d="M364 130l52-50 40 36 30-22 48 38v16a4 4 0 0 1-4 4H368a4 4 0 0 1-4-4z" />
          <path d="M176 302l40-40 36 30 26-18 46 30v16a4 4 0 0 1-4 4H180a4 4 0 0 1-4-4z" />
          <path d="M456 272l42-38 34 28 24-18 42 32v14a4 4 0 0 1-4 4H460a4 4 0 0 1-4-4z" />
        </g>
        <path d="M-20 352H780" className="stroke-steel" strokeWidth="22" />
        <path d="M186 366h388v152H186z" className="fill-steel" />
        <path d="M218 398h324M218 442h324M218 486h324" className="stroke-sunken" strokeWidth="3" opacity="0.35" />
        <path d="M380 366V282M352 282h56" className="stroke-steel" strokeWidth="12" />
        <g className="stroke-water" strokeWidth="11" strokeLinecap="round">
          {ripples.map(({ y, d, opacity }) => (
            <path key={y} d={d} transform={`translate(-20 ${y})`} opacity={opacity} />
          ))}
        </g>
        <path d="M150 352V900M610 352V900" className="stroke-steel" strokeWidth="22" />
        <g className="fill-surface stroke-water" strokeWidth="3">
          <rect x="236" y="556" width="104" height="72" rx="4" />
          <rect x="424" y="570" width="72" height="92" rx="4" transform="rotate(4 460 616)" />
        </g>
        <g className="fill-water-soft">
          <path d="M238 612l30-30 26 24 16-12 28 22v8a2 2 0 0 1-2 2h-96a2 2 0 0 1-2-2z" />
        </g>
      </svg>
    </div>
  )
}
