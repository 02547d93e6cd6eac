// npm run demo:timeline [-- --images 100000]: what a gallery of many images takes in a browser while it is scrolled to its end.
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { startTimelineScene } from '../library/timeline-scene.ts'
import { findChromium } from '../servers/chromium.ts'

const { values } = parseArgs({ options: { images: { type: 'string', default: '100000' } } })
const executablePath = findChromium()
if (executablePath === null) {
  console.error(
    'There is no Chromium here. Install one (npx playwright install chromium), or name it by CHROMIUM_PATH.',
  )
  process.exit(1)
}

/** How long the scroll to the end takes, in frames: each moves by the same share of the list. */
const FRAMES = 600

await using ended = new AsyncDisposableStack()
const scene = ended.use(await startTimelineScene(Number(values.images)))
const browser = await chromium.launch({ executablePath })
ended.defer(() => browser.close())
const page = await browser.newPage({
  extraHTTPHeaders: { cookie: scene.cookie },
  viewport: { width: 1440, height: 900 },
})
const protocol = await page.context().newCDPSession(page)
await protocol.send('Performance.enable')
await page.addInitScript(() => {
  Reflect.set(window, 'shift', 0)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = { value: 0, hadRecentInput: false, ...entry.toJSON() }
      if (!hadRecentInput) Reflect.set(window, 'shift', Reflect.get(window, 'shift') + value)
    }
  }).observe({ type: 'layout-shift', buffered: true })
})

console.log('| at | elements | JS heap, MiB | layout shift |\n|---|---|---|---|')
await page.goto(scene.origin)
await page.getByRole('slider', { name: 'Timeline' }).waitFor()
await settle()
await report('the beginning')
const { times, most } = await page.evaluate(scroll, FRAMES)
await settle()
await report('the end')
const sorted = times.toSorted((a, b) => a - b)
const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1)
console.log(`\n${values.images} images, ${FRAMES} frames to the end: at most ${most} elements.`)
console.log(`A frame took ${at(0.5)} ms (median), ${at(0.95)} ms (p95), ${at(0.99)} ms (p99), at most ${at(1)} ms.`)

async function settle(): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => document.querySelector('[data-loading]') === null)
}

async function report(place: string): Promise<void> {
  await protocol.send('HeapProfiler.collectGarbage')
  const { metrics } = await protocol.send('Performance.getMetrics')
  const heap = (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0) / 1024 ** 2
  const { elements, shift } = await page.evaluate(() => ({
    elements: document.querySelectorAll('*').length,
    shift: Number(Reflect.get(window, 'shift')),
  }))
  console.log(`| ${place} | ${elements} | ${heap.toFixed(1)} | ${shift.toFixed(4)} |`)
}

/** Runs in the page: scrolls to the end, and returns how long each frame took, and how many elements there were at most. */
async function scroll(frames: number): Promise<{ times: number[]; most: number }> {
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const length = document.documentElement.scrollHeight - window.innerHeight
  const times: number[] = []
  let most = 0
  let last = await nextFrame()
  for (let frame = 1; frame <= frames; frame += 1) {
    window.scrollTo(0, (length * frame) / frames)
    const now = await nextFrame()
    times.push(now - last)
    last = now
    most = Math.max(most, document.querySelectorAll('*').length)
  }
  return { times, most }
}
