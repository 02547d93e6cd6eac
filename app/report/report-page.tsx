import type { LastPost } from '#app/entry/failure-cookie.ts'
import { translatorOfRequest } from '#app/locale.ts'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import type { ReportChoice } from './choices.tsx'
import { ReportForm } from './report-form.tsx'

type Props = {
  /** The page that it is reported from. */
  readonly path: string
} & (
  | { readonly choices: null }
  | {
      readonly choices: readonly ReportChoice[]
      readonly hidden: Readonly<Record<string, string>>
      readonly last: LastPost | null
    }
)

/** The form of a report; without choices, the page after it was sent. Its page loads the messages `reporting`. */
export async function ReportPage(props: Props) {
  const { path, choices } = props
  const translate = await translatorOfRequest()
  if (choices === null) {
    return (
      <Blank title={translate('reporting.sent')} text={translate('reporting.sentText')}>
        <a href={path} className={buttonClass('plain')}>
          {translate('reporting.back')}
        </a>
      </Blank>
    )
  }
  const { hidden, last } = props
  return <ReportForm path={path} choices={choices} hidden={hidden} last={last} />
}
