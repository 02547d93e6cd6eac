import { count } from '#app/ui/format.ts'
import { type LeftImage, lineOf } from './many.ts'

/** As many as are read at a glance. */
const MOST = 5

/** To which images nothing was done, and why: below a toast's title. */
export function LeftImages({ left }: { left: readonly LeftImage[] }) {
  const shown = left.length > MOST ? left.slice(0, MOST - 1) : left
  return (
    <ul aria-label="Not done" className="mt-1 text-ink-soft">
      {shown.map((each) => (
        <li key={each.image.id} className="truncate">
          {lineOf(each)}
        </li>
      ))}
      {shown.length < left.length && <li>and {count(left.length - shown.length, 'more', 'more')}</li>}
    </ul>
  )
}
