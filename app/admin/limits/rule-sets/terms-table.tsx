import { type Comparison, isAmong, type TermLine } from '../words.ts'

interface Props {
  comparisons: readonly Comparison[]
  /** Above what holds: for whom, or since when. */
  heading: string
}

const row = 'align-top max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-3'

/** Terms in words, what holds beside what is declared; where nothing differs, once. */
export function TermsTable({ comparisons, heading }: Props) {
  const isSame = comparisons.every(({ differs }) => !differs)
  return (
    <table className="figures w-full text-left text-sm max-sm:block">
      <thead className={isSame ? 'sr-only' : 'max-sm:block'}>
        <tr className={`text-ink-soft ${row}`}>
          <td className="max-sm:hidden" />
          {!isSame && (
            <th scope="col" className="pr-4 pb-1 font-medium break-words">
              {heading}
            </th>
          )}
          <th scope="col" className="pb-1 font-medium">
            As declared
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {comparisons.map(({ term, declared, holds }) => (
          <tr key={term} className={`border-line not-first:border-t max-sm:py-1.5 ${row}`}>
            <th scope="row" className="py-1.5 pr-4 font-normal text-ink-soft max-sm:col-span-2 max-sm:py-0 sm:w-44">
              {term}
            </th>
            {!isSame && (
              <td className="py-1.5 pr-4 max-sm:py-0.5">
                <Lines lines={holds} beside={declared} />
              </td>
            )}
            <td className={`py-1.5 max-sm:py-0.5 ${isSame ? 'max-sm:col-span-2' : 'text-ink-soft'}`}>
              <Lines lines={declared} beside={null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface LinesProps {
  lines: readonly TermLine[]
  /** What is not among these stands out; nothing does where there are none. */
  beside: readonly TermLine[] | null
}

function Lines({ lines, beside }: LinesProps) {
  return lines.map((line) => (
    <span
      key={`${line.words} ${line.detail}`}
      className={`block ${beside && !isAmong(line, beside) ? 'font-medium text-water' : ''}`}
    >
      {line.words} {line.detail && <span className="inline-block font-normal text-ink-soft">{line.detail}</span>}
    </span>
  ))
}
