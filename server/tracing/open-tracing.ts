import { type Tracing, type TracingSettings, untraced } from './tracing.ts'

interface Log {
  warn(details: object, message: string): void
}

/** Opens the traces. OpenTelemetry is loaded only if there is an endpoint. */
export async function openTracing(settings: TracingSettings, log: Log): Promise<Tracing> {
  const { endpoint, share } = settings
  if (endpoint === null) return untraced
  const { startTracing } = await import('./open-telemetry.ts')
  return startTracing({ endpoint, share }, log)
}
