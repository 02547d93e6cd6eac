import { request } from '@playwright/test'
import { landscape } from '#testing/images/landscape.ts'
import { type SluiceServer, startSluiceServer } from '#testing/sluice/sluice-server.ts'

const owner = { username: 'ada', password: 'a lock on the old canal' }
const IMAGES = 60

export interface Visit {
  readonly name: string
  readonly url: string
  /** Those that sign the owner in; none for a guest. */
  readonly headers: Readonly<Record<string, string>>
}

/** Starts a server with a gallery. */
export function startWithGallery(): Promise<SluiceServer> {
  const account = { SLUICE_ADMIN_USERNAME: owner.username, SLUICE_ADMIN_PASSWORD: owner.password }
  return startSluiceServer({ env: { ...account, SLUICE_GALLERY: 'on' }, isMeasured: true })
}

/** Uploads public images, as many as a page of home or of the gallery shows. Returns the pages to visit. */
export async function fillGallery({ origin }: SluiceServer): Promise<readonly Visit[]> {
  const client = await request.newContext({ baseURL: origin })
  const { csrfToken } = await (await client.get('/api/auth/csrf')).json()
  await client.post('/api/auth/callback/credentials', { form: { ...owner, csrfToken, json: 'true' } })
  for (let seed = 0; seed < IMAGES; seed += 1) {
    const answer = await client.post('/api/trpc/image.upload', {
      headers: { 'content-type': 'application/octet-stream', 'x-file-name': `${seed}.jpg`, 'x-visibility': 'public' },
      data: await landscape(seed, seed % 3 ? { width: 1500, height: 1000 } : { width: 900, height: 1300 }),
    })
    if (!answer.ok()) throw new Error(`image ${seed + 1} was answered ${answer.status()}: ${await answer.text()}`)
  }
  const { result } = await (await client.get('/api/trpc/image.list')).json()
  const image = `${origin}/image/${result.data.items[0].slug}`
  const { cookies } = await client.storageState()
  await client.dispose()
  const [guest, signedIn] = [{}, { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }]
  return [
    { name: 'sign-in', url: `${origin}/signin`, headers: guest },
    { name: 'image, by its link', url: image, headers: guest },
    { name: 'gallery', url: `${origin}/`, headers: guest },
    { name: 'home, signed in', url: `${origin}/`, headers: signedIn },
    { name: 'image, signed in', url: image, headers: signedIn },
    { name: 'account, signed in', url: `${origin}/account`, headers: signedIn },
  ]
}
