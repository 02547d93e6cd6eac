import { expect, test } from 'vitest'
import { parseExposition } from '#testing/http/parse-exposition.ts'
import { BUCKETS } from './declared.ts'
import { exposition } from './exposition.ts'
import { Metrics } from './metrics.ts'

const NAME = 'sluice_decoder_wait_seconds'

test('a histogram counts each duration in its bucket and all above, a bound included', async () => {
  const metrics = new Metrics()
  for (const seconds of [0.001, 0.0011, 2, 60, 61]) metrics.time(NAME, seconds, 'decode')
  const samples = parseExposition(exposition(await metrics.read())).get(NAME)?.samples ?? []
  const decodes = samples.filter(({ labels }) => labels.kind === 'decode')
  const buckets = decodes.filter(({ suffix }) => suffix === '_bucket')
  expect(buckets.map(({ labels }) => labels.le)).toEqual([...BUCKETS.map(String), '+Inf'])
  expect(buckets.map(({ value }) => value)).toEqual([1, ...Array(9).fill(2), ...Array(4).fill(3), 4, 5])
  expect(decodes.slice(-2)).toEqual([
    { suffix: '_sum', labels: { kind: 'decode' }, value: 123.0021 },
    { suffix: '_count', labels: { kind: 'decode' }, value: 5 },
  ])
  const renders = samples.filter(({ labels }) => labels.kind === 'render')
  expect(renders).toHaveLength(BUCKETS.length + 3)
  expect(renders.every(({ value }) => value === 0)).toBe(true)
})

test('series of known labels are present at zero; those of a job from the time it is worked', async () => {
  const metrics = new Metrics()
  const read = async (name: string) => parseExposition(exposition(await metrics.read())).get(name)?.samples
  expect(await read('sluice_guest_uploads_total')).toEqual(
    ['stored', 'refused', 'approved', 'rejected'].map((outcome) => ({ labels: { outcome }, value: 0 })),
  )
  expect(await read('sluice_jobs_attempts_total')).toBeUndefined()
  metrics.knowJobs(['sweep'])
  metrics.add('sluice_jobs_attempts_total', 'sweep', 'failed')
  expect(await read('sluice_jobs_attempts_total')).toEqual([
    { labels: { name: 'sweep', outcome: 'ok' }, value: 0 },
    { labels: { name: 'sweep', outcome: 'failed' }, value: 1 },
  ])
})

test('what is read comes from its source at each scrape', async () => {
  const metrics = new Metrics()
  let free = 3
  metrics.readFrom(async () => ({ sluice_disk_free_bytes: [{ value: free }] }))
  const read = async () =>
    parseExposition(exposition(await metrics.read())).get('sluice_disk_free_bytes')?.samples[0]?.value
  expect(await read()).toBe(3)
  free = 2
  expect(await read()).toBe(2)
})
