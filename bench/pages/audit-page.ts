import lighthouse from 'lighthouse'
import { z } from 'zod'
import type { Visit } from './scene.ts'

/** What Lighthouse finds at one load of a page. */
export interface Figures {
  /** Scores, of 100. */
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly largestPaintMs: number
  readonly blockingMs: number
  /** What the page loaded as script, in bytes as sent. */
  readonly scriptBytes: number
  /** The audits of accessibility and best practices that failed. */
  readonly failed: readonly string[]
}

const request = {
  url: z.string(),
  statusCode: z.number(),
  transferSize: z.number(),
  resourceType: z.string().optional(),
}
const requests = z.object({ items: z.array(z.object(request)) })

/** Loads a page in the Chromium that listens on this port, as Lighthouse's mobile preset does. Throws if the page or anything of
 *  it is refused. */
export async function auditPage(url: string, port: number, headers: Visit['headers']): Promise<Figures> {
  const ran = await lighthouse(url, {
    port,
    logLevel: 'error',
    onlyCategories: ['performance', 'accessibility', 'best-practices'],
    // Everything by gzip, so that sizes compare with the limits in e2e/every-page.sampled.spec.ts; brotli makes scripts smaller.
    extraHeaders: { ...headers, 'Accept-Encoding': 'gzip' },
  })
  if (!ran) throw new Error(`Lighthouse has no result for ${url}`)
  const { audits, categories, finalDisplayedUrl, runtimeError } = ran.lhr
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`)
  if (finalDisplayedUrl !== url) throw new Error(`${url} leads to ${finalDisplayedUrl}`)
  const { items } = requests.parse(audits['network-requests']?.details)
  const refused = items.find(({ statusCode }) => statusCode >= 400)
  if (refused) throw new Error(`${url} loads ${refused.url}, which was answered ${refused.statusCode}`)

  const score = (category: string): number => Math.round((categories[category]?.score ?? Number.NaN) * 100)
  const milliseconds = (audit: string): number => audits[audit]?.numericValue ?? Number.NaN
  const failed = ['accessibility', 'best-practices'].flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  )
  for (const id of failed) console.error(url, id, JSON.stringify(audits[id]?.details))
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    largestPaintMs: milliseconds('largest-contentful-paint'),
    blockingMs: milliseconds('total-blocking-time'),
    // A script for browsers without modules is not loaded, and so not counted.
    scriptBytes: items
      .filter(({ resourceType }) => resourceType === 'Script')
      .reduce((sum, { transferSize }) => sum + transferSize, 0),
    failed,
  }
}
