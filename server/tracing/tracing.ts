export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Adds attributes to a span that is under way. */
export type Note = (attributes: Attributes) => void

export interface RequestStart {
  /** The header of a trusted proxy. */
  readonly traceparent: string | undefined
  readonly name: string
  readonly attributes: Attributes
}

/** Ends the span of a request, with what was learned about it. `isFault`: the server is to blame. */
export type EndRequest = (attributes: Attributes, isFault: boolean) => void

/** Traces by spans of this project's own: of a request, and in it of procedures, decisions of the limiter, statements, calls of the
 *  bucket and decoders. */
export interface Tracing {
  /** False if nobody collects traces. Spans are free then. */
  readonly isOn: boolean
  /** The trace of the code that asks; null outside. */
  readonly traceId: string | null
  /** Runs `work` in a span below the present one. If it throws or rejects, the span has failed. */
  span<T>(name: string, attributes: () => Attributes, work: (note: Note) => T): T
  /** Runs `work` in a span that it ends itself. */
  request(start: RequestStart, work: (end: EndRequest) => void): void
  /** Sends what has ended. */
  close(): Promise<void>
}

export const untraced: Tracing = {
  isOn: false,
  traceId: null,
  span: (_name, _attributes, work) => work(() => undefined),
  request: (_start, work) => work(() => undefined),
  close: async () => undefined,
}

export interface TracingSettings {
  /** The base URL of a collector that takes OTLP over HTTP; null for no traces. */
  readonly endpoint: string | null
  /** The share of traces that are recorded, unless a proxy has decided: 0 to 1. */
  readonly share: number
}
