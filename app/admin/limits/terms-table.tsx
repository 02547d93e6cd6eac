import type { Comparison } from './words.ts'

interface Props {
  comparisons: readonly Comparison[]
  /** Above what holds: for whom, or since when. */
  heading: string
}

/** Terms in words, what holds beside what is declared; where nothing differs, once. */
export function TermsTable({ comparisons, heading }: Props) {
  const isSame = comparisons.every(({ differs }) => !differs)
  return (
    <div className="overflow-x-auto">
      <table className="figures w-full text-left text-sm">
        <thead>
          <tr className="text-ink-soft">
            <td className="max-sm:hidden" />
            {!isSame && (
              <th scope="col" className="pr-4 pb-1 font-medium">
                {heading}
              </th>
            )}
            <th scope="col" className="pb-1 font-medium">
              As declared
            </th>
          </tr>
        </thead>
        <tbody>
          {comparisons.map(({ term, declared, holds, differs }) => (
            <tr key={term} className="border-t border-line align-top max-sm:grid max-sm:grid-cols-2 max-sm:py-1.5">
              <th scope="row" className="py-1.5 pr-4 font-normal text-ink-soft max-sm:col-span-2 max-sm:py-0 sm:w-40">
                {term}
              </th>
              {!isSame && (
                <td className={`py-1.5 pr-4 max-sm:py-0.5 ${differs ? 'font-medium text-water' : ''}`}>
                  <Lines lines={holds} />
                </td>
              )}
              <td className={`py-1.5 max-sm:py-0.5 ${isSame ? 'max-sm:col-span-2' : 'text-ink-soft'}`}>
                <Lines lines={declared} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  ))
}
