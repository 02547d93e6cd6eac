import { expect, test } from 'vitest'
import { behindProxy, read, sendUpload } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { type CollectedSpan, startTraceCollector } from '#testing/servers/trace-collector.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'
import { openTracing } from './open-tracing.ts'
import { untraced } from './tracing.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${PARENT}-01`

test('an upload is a trace, below that of a trusted proxy', async () => {
  await using collector = await startTraceCollector()
  await using served = await startApp({ ...behindProxy, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  const owner = await served.person()
  const uploaded = await sendUpload(served, owner, await picture(), { headers: { traceparent } })
  expect(uploaded.status).toBe(200)
  const { result } = JSON.parse(await uploaded.text())
  expect((await read(result.data.url, owner)).status).toBe(200)
  await served.app.images.followed()
  await served.app.tracing.close()

  const own = collector.spans.filter(({ traceId }) => traceId === TRACE)
  const [request] = own.filter(({ parentSpanId }) => parentSpanId === PARENT)
  expect(request).toMatchObject({
    name: 'POST upload',
    attributes: { 'url.path': '/api/trpc/image.upload', 'http.response.status_code': 200, 'sluice.aborted': false },
  })
  const parents = new Map(own.map((span) => [span.spanId, span]))
  const pathTo = (span: CollectedSpan | undefined): string[] =>
    span ? [...pathTo(parents.get(span.parentSpanId ?? '')), span.name] : []
  const paths = own.map((span) => pathTo(span).join(' > '))
  for (const path of [
    'POST upload > limiter',
    'POST upload > procedure',
    'POST upload > procedure > decoder decode',
    'POST upload > procedure > bucket put',
    'POST upload > procedure > database begin',
    'POST upload > procedure > database query',
  ])
    expect(paths).toContain(path)
  const [procedure] = own.filter(({ name }) => name === 'procedure')
  expect(procedure?.attributes).toEqual({ 'rpc.method': 'image.upload', 'rpc.type': 'mutation' })
  const [decision] = own.filter(({ name }) => name === 'limiter')
  expect(decision?.attributes).toEqual({ 'sluice.label': 'image.upload', 'sluice.allowed': true })

  const reads = collector.spans.filter(({ name }) => name === 'GET bytes')
  expect(reads).toHaveLength(1)
  expect(reads[0]?.traceId).not.toBe(TRACE)
  expect(reads[0]?.parentSpanId).toBeUndefined()
  expect(collector.resources[0]).toMatchObject({ 'service.name': 'sluice' })
  expect(JSON.stringify(collector.spans)).not.toContain(owner.cookie.split('=')[1])
})

test('nobody but a trusted proxy continues a trace or names a request, and without a collector there is none', async () => {
  await using collector = await startTraceCollector()
  {
    await using served = await startApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const { headers } = await fetch(`${served.origin}/healthz`, { headers: { traceparent, 'x-request-id': 'mine' } })
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(collector.spans.map(({ name }) => name)).toContain('GET health')
  expect(collector.spans.filter(({ traceId }) => traceId === TRACE)).toEqual([])
  const log = { warn: () => undefined }
  expect(await openTracing({ endpoint: null, share: 1 }, log)).toBe(untraced)
})

test('a collector that is not there costs a line in the log, and does not keep the server from stopping', async () => {
  const warnings: string[] = []
  const log = { warn: (_details: object, message: string) => warnings.push(message) }
  const tracing = await openTracing({ endpoint: `http://127.0.0.1:${await freePort()}`, share: 1 }, log)
  expect(
    await tracing.span(
      'work',
      () => ({}),
      async () => 5,
    ),
  ).toBe(5)
  await expect(
    tracing.span(
      'work',
      () => ({}),
      () => Promise.reject(new Error('broken')),
    ),
  ).rejects.toThrow('broken')
  await tracing.close()
  expect(warnings).toEqual(['traces are not collected'])
})
