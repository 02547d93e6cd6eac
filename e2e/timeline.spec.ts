import type { Page } from '@playwright/test'
import { startTimelineScene } from '../testing/library/timeline-scene.ts'
import { expect, test } from './fixtures.ts'

const countElements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)
/** Notes what in the page moves by itself, from its first moment on: each element with its place before and after. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: string[] = []
    Reflect.set(window, 'shifts', shifts)
    const placed = (box: DOMRectReadOnly) => `${box.x},${box.y} ${box.width}×${box.height}`
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!('sources' in entry) || !Array.isArray(entry.sources) || Reflect.get(entry, 'hadRecentInput')) continue
        const moved = entry.sources.map(({ node, previousRect, currentRect }) => {
          const of = node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent)
          return `${of} from ${placed(previousRect)} to ${placed(currentRect)}`
        })
        shifts.push(`${Reflect.get(entry, 'value')} at ${Math.round(window.scrollY)}: ${moved.join('; ')}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
const shiftsIn = (page: Page) => page.evaluate(() => Reflect.get(window, 'shifts'))

/** Notes the sizes that each image is loaded in. */
function watchImages(page: Page): { inSeveralSizes(): readonly string[] } {
  const sizes = new Map<string, Set<string>>()
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith('/i/')) sizes.set(pathname, (sizes.get(pathname) ?? new Set()).add(search))
  })
  return { inSeveralSizes: () => [...sizes].filter(([, each]) => each.size > 1).map(([path]) => path) }
}

/** Scrolls to the end in many steps, as a wheel does. */
const scrollThrough = (page: Page) =>
  page.evaluate(async () => {
    const length = document.documentElement.scrollHeight - window.innerHeight
    for (let frame = 1; frame <= 90; frame += 1) {
      window.scrollTo(0, (length * frame) / 90)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
const monthIn = (page: Page) => new URL(page.url()).searchParams.get('at')

test('a timeline jumps to any month, keeps the page small, and finds its place and selection again', async ({
  page,
}) => {
  test.setTimeout(360_000)
  await using scene = await startTimelineScene(3000)
  await page.context().addCookies(
    scene.cookie.split('; ').map((cookie) => {
      const [name = '', ...value] = cookie.split('=')
      return { name, value: value.join('='), url: scene.origin }
    }),
  )
  const html = await (await page.request.get(scene.origin)).text()
  expect(html.match(/<img[^>]*fetchpriority="high"/gi)).toHaveLength(8)

  await watchShifts(page)
  const images = watchImages(page)
  await page.goto(scene.origin)
  const slider = page.getByRole('slider', { name: 'Timeline' })
  await expect(slider).toHaveAttribute('aria-valuenow', '0')
  const months = Number(await slider.getAttribute('aria-valuemax'))
  expect(months).toBeGreaterThanOrEqual(96)
  await scrollThrough(page)
  await expect(page.getByRole('link', { name: 'Photograph 3000' })).toBeVisible()
  expect(await shiftsIn(page)).toEqual([])
  expect(images.inSeveralSizes()).toEqual([])
  await slider.press('Home')
  await expect(slider).toHaveAttribute('aria-valuenow', '0')
  await slider.press('End')
  await expect(slider).toHaveAttribute('aria-valuenow', /9\d/)
  await expect(page.getByRole('link', { name: 'Photograph 3000' })).toBeVisible()
  expect(await countElements(page)).toBeLessThanOrEqual(3000)

  const year = new Date().getFullYear() - 4
  await page.goto(`${scene.origin}/?at=${year}-03`)
  const heading = page.getByRole('heading', { name: `March ${year}` })
  await expect(heading).toBeInViewport()
  await expect(page.getByRole('listitem', { name: 'Loading' })).toHaveCount(0)
  const top = (await heading.boundingBox())?.y
  expect(top).toBeCloseTo(124, -1)

  await heading.hover()
  await heading.getByRole('checkbox').check()
  const amount = Number((await heading.textContent())?.match(/ (\d+) images/)?.[1])
  const selected = page.getByText(`${amount} selected`)
  await expect(selected).toBeVisible()
  await expect.poll(() => monthIn(page)).toBe(`${year}-03`)
  // What is loaded for the selection leaves the list in place.
  await expect(page.getByRole('toolbar').getByRole('button', { name: 'Move to trash' })).toBeVisible()
  expect((await heading.boundingBox())?.y).toBe(top)

  await page.getByRole('link', { name: 'Trash' }).first().click()
  await expect(page.getByRole('heading', { name: 'Trash' })).toBeVisible()
  await page.goBack()
  await expect(selected).toBeVisible()
  await expect(heading).toBeInViewport()
  expect((await heading.boundingBox())?.y).toBeCloseTo(top ?? 0, -1)

  await page.reload()
  await expect(selected).toBeVisible()
  await expect(heading).toBeInViewport()
  expect((await heading.boundingBox())?.y).toBeCloseTo(top ?? 0, -1)

  await page.keyboard.press('Escape')
  await expect(selected).toHaveCount(0)
  const box = await slider.boundingBox()
  if (!box) throw new Error('no slider')
  await page.mouse.move(box.x + 20, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + 20, box.y + box.height - 15, { steps: 12 })
  await page.mouse.up()
  await expect(page.getByRole('link', { name: /^Photograph 29/ }).first()).toBeVisible()
  await slider.press('Home')
  await expect(page.getByRole('link', { name: 'Weir 7' })).toBeInViewport()
  await expect.poll(() => monthIn(page)).toBeNull()
})
