import { titled, translatorOfRequest } from '#app/locale.ts'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'

export const generateMetadata = titled('mailLinks.confirmed')

export default async function Page() {
  const translate = await translatorOfRequest()
  return (
    <Threshold title={translate('mailLinks.confirmed')} lead={translate('mailLinks.confirmedText')}>
      <a href="/account#email" className={buttonClass('primary')}>
        {translate('mailLinks.openAccount')}
      </a>
    </Threshold>
  )
}
