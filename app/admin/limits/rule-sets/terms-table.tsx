import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import { compareTerms, isAmong, type TermLine } from '../terms-text.ts'
import type { DeclaredTerms } from '../types.ts'

interface Props {
  declared: DeclaredTerms
  effective: DeclaredTerms
  /** Heading of the column with the terms in effect. */
  heading: string
}

const row = 'align-top max-sm:grid max-sm:grid-cols-2 max-sm:gap-x-3'

/** The terms in effect beside the declared ones; a single column if nothing differs. */
export function TermsTable({ heading, ...terms }: Props) {
  const t = useTranslations('adminLimits')
  const comparisons = compareTerms(t, useFormat(), terms)
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
            {t('declared')}
          </th>
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {comparisons.map(({ term, declared, effective }) => (
          <tr key={term} className={`border-line not-first:border-t max-sm:py-1.5 ${row}`}>
            <th scope="row" className="py-1.5 pr-4 font-normal text-ink-soft max-sm:col-span-2 max-sm:py-0 sm:w-44">
              {t(`term.${term}`)}
            </th>
            {!isSame && (
              <td className="py-1.5 pr-4 max-sm:py-0.5">
                <Lines lines={effective} compared={declared} />
              </td>
            )}
            <td className={`py-1.5 max-sm:py-0.5 ${isSame ? 'max-sm:col-span-2' : 'text-ink-soft'}`}>
              <Lines lines={declared} compared={null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface LinesProps {
  lines: readonly TermLine[]
  /** Lines that are not among these are highlighted; null highlights none. */
  compared: readonly TermLine[] | null
}

function Lines({ lines, compared }: LinesProps) {
  return lines.map((line) => (
    <span
      key={`${line.text} ${line.detail}`}
      className={`block ${compared && !isAmong(line, compared) ? 'font-medium text-water' : ''}`}
    >
      {line.text} {line.detail && <span className="inline-block font-normal text-ink-soft">{line.detail}</span>}
    </span>
  ))
}
