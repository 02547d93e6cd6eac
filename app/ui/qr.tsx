'use client'

import { encode } from 'uqr'

/** A QR code, dark on light in either theme, as cameras expect it. */
export default function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="w-full max-w-64 self-center rounded-md bg-white"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
