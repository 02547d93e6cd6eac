import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const value = z.union([
  z.object({ stringValue: z.string() }).transform((each) => each.stringValue),
  z.object({ intValue: z.coerce.number() }).transform((each) => each.intValue),
  z.object({ doubleValue: z.number() }).transform((each) => each.doubleValue),
  z.object({ boolValue: z.boolean() }).transform((each) => each.boolValue),
])
const attributes = z
  .array(z.object({ key: z.string(), value }))
  .transform((each): Record<string, unknown> => Object.fromEntries(each.map(({ key, value }) => [key, value])))
const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes,
  status: z.object({ code: z.number().optional() }),
})
/** The JSON of OTLP over HTTP. */
const sent = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ scope: z.object({ name: z.string() }), spans: z.array(span) })),
    }),
  ),
})

export type CollectedSpan = z.output<typeof span>

export interface TraceCollector extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** The attributes of those that sent them. */
  readonly resources: readonly Record<string, unknown>[]
}

/** Collects traces as a collector of OpenTelemetry does, at a free port. Refuses what is not OTLP. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: CollectedSpan[] = []
  const resources: Record<string, unknown>[] = []
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST' || req.url !== '/v1/traces') return void res.writeHead(404).end()
    const { success, data } = sent.safeParse(JSON.parse(await text(req)))
    if (!success) return void res.writeHead(400).end()
    for (const { resource, scopeSpans } of data.resourceSpans) {
      resources.push(resource.attributes)
      for (const each of scopeSpans) spans.push(...each.spans)
    }
    res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    spans,
    resources,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
