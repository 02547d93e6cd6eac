import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { rarely } from '#server/rarely.ts'
import { sluiceVersion } from '#server/version.ts'
import { parseTraceparent } from './traceparent.ts'
import type { Tracing } from './tracing.ts'

/** The shortest interval between two log lines about a collector that takes nothing. */
const LOG_MS = 60_000

/** How long a batch is tried to be sent: a server that stops waits for its last one. */
const SEND_MS = 3_000

interface Log {
  warn(details: object, message: string): void
}

/** Sends spans to the collector, in batches and as JSON. Nothing is registered with OpenTelemetry's globals, so that libraries add no
 *  spans of theirs. */
export function startTracing({ endpoint, share }: { endpoint: string; share: number }, log: Log): Tracing {
  const report = rarely<unknown>(LOG_MS, (err, times) => log.warn({ err, times }, 'traces are not collected'))
  logFailures(report)
  const own = resourceFromAttributes({ 'service.name': 'sluice', 'service.version': sluiceVersion })
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: SEND_MS })
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('sluice', sluiceVersion)
  const present = new AsyncLocalStorage<Context>()
  return {
    isOn: true,
    get traceId() {
      const context = present.getStore()
      return (context && trace.getSpanContext(context)?.traceId) ?? null
    },
    span(name, attributes, work) {
      const parent = present.getStore() ?? ROOT_CONTEXT
      const span = tracer.startSpan(name, { attributes: attributes() }, parent)
      return endWith(span, () =>
        present.run(trace.setSpan(parent, span), () => work((more) => void span.setAttributes(more))),
      )
    },
    request({ traceparent, name, attributes }, work) {
      const parent = remoteContext(traceparent)
      const span = tracer.startSpan(name, { attributes, kind: SpanKind.SERVER }, parent)
      present.run(trace.setSpan(parent, span), () =>
        work((more, isFault) => {
          span.setAttributes(more)
          if (isFault) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }),
      )
    },
    close: () => provider.shutdown().catch(report),
  }
}

/** Returns what `work` returns, and ends the span when that is settled. */
function endWith<T>(span: Span, work: () => T): T {
  const fail = (error: unknown): never => {
    span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'thrown' })
    span.end()
    throw error
  }
  try {
    const result = work()
    if (result instanceof Promise) return result.then(end, fail) as T
    return end(result)
  } catch (error) {
    return fail(error)
  }

  function end<Result>(result: Result): Result {
    span.end()
    return result
  }
}

function remoteContext(header: string | undefined): Context {
  const parent = parseTraceparent(header)
  if (!parent) return ROOT_CONTEXT
  const { traceId, spanId, flags } = parent
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: flags, isRemote: true })
}

/** Without this, nobody would learn that the collector takes nothing. */
function logFailures(report: (problem: unknown) => void): void {
  const ignore = () => undefined
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
