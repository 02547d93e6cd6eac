import { DeletePage } from '#app/delete/delete-page.tsx'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { titledSecret } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { callerOfRequest, unlessRefused } from '#app/viewer.ts'

export const generateMetadata = titledSecret('deletion.title')

interface Props {
  params: Promise<{ link: string }>
}

/** Shows what the link deletes. It deletes nothing, because programs that preview links load it too. */
export default async function Page({ params }: Props) {
  const { link } = await params
  const { image } = await callerOfRequest()
  const { value, limit } = await unlessRefused(image.showByLink({ link }))
  return (
    <PageMessages areas={['deletion']}>
      {value ? <DeletePage link={link} image={value} last={await readFailure()} /> : <RefusedPage limit={limit} />}
    </PageMessages>
  )
}
