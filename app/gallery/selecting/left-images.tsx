import { type LeftImage, linesOf } from './many.ts'

/** To which images nothing was done, and why: below a toast's title. */
export function LeftImages({ left }: { left: readonly LeftImage[] }) {
  return (
    <ul aria-label="Not done" className="mt-1 text-ink-soft">
      {linesOf(left).map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  )
}
