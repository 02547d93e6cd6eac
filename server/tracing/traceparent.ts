interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly flags: number
}

/** Parses the header by which a trace continues in another process (W3C Trace Context, level 1); null for an invalid one. */
export function parseTraceparent(header: string | undefined): TraceParent | null {
  if (header === undefined) return null
  const [, version, traceId = '', spanId = '', flags = ''] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header) ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, flags: Number.parseInt(flags, 16) }
}
