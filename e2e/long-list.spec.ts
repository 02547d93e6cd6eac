import { picture } from '../testing/images/pictures.ts'
import { api, expect, signIn, test } from './fixtures.ts'

test('a list loads to its end, even on a page that is too busy to observe every change', async ({
  page,
  createAccount,
}) => {
  await signIn(page, await createAccount())
  for (const seed of [70, 71, 72]) {
    const bytes = await picture({ format: 'png', width: 64, height: 48, seed })
    const { id } = await api(page.request).image.upload.mutate(new File([new Uint8Array(bytes)], `picture ${seed}.png`))
    await api(page.request).image.delete.mutate({ id })
  }
  // A page of the list has one image here.
  await page.route(/trpc\/[^?]*image\.list/, (route) => {
    const url = new URL(route.request().url())
    const input = JSON.parse(url.searchParams.get('input') ?? '{}')
    for (const call of Object.values<{ limit?: number }>(input)) if (call.limit) call.limit = 1
    url.searchParams.set('input', JSON.stringify(input))
    return route.continue({ url: url.href })
  })
  await page.addInitScript(() => {
    const Observer = window.IntersectionObserver
    window.IntersectionObserver = class extends Observer {
      constructor(hear: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        const hearAll = (changes: IntersectionObserverEntry[], observer: IntersectionObserver) => {
          const before = changes.map(({ target }) => ({ target, isIntersecting: false }) as IntersectionObserverEntry)
          hear([...before, ...changes], observer)
        }
        super(hearAll, options)
      }
    }
  })
  await page.goto('/trash')
  await expect(page.getByRole('list', { name: 'Images in the trash' }).getByRole('listitem')).toHaveCount(3)
})
