/** A metric as read by a strict parser of Prometheus' text format. */
export interface ParsedMetric {
  readonly help: string
  readonly type: string
  readonly samples: {
    /** What a histogram adds to its name. */
    readonly suffix?: string
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const HELP = new RegExp(`^# HELP (${NAME}) ((?:[^\\\\\\n]|\\\\\\\\|\\\\n)+)$`)
const TYPE = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`)
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"'
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL},)*${LABEL})\\})? (\\S+)$`)
const HISTOGRAM = /^_(?:bucket|sum|count)$/
const VALUE = /^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]Inf|NaN)$/

/** Parses the response to a scrape (version 0.0.4). Throws for anything that Prometheus would refuse or misread: separated lines of
 *  one metric, HELP or TYPE twice or after a sample, a duplicate series, or lines that are not in the format. */
export function parseExposition(text: string): ReadonlyMap<string, ParsedMetric> {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const metrics = new Map<string, ParsedMetric>()
  const series = new Set<string>()
  const lines = text.slice(0, -1).split('\n')
  let current = ''
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, helped, help] = HELP.exec(line) ?? []
    if (helped !== undefined && help !== undefined) {
      const [, typed, type = ''] = TYPE.exec(lines[at + 1] ?? '') ?? []
      if (typed !== helped) throw new Error(`${helped} has a HELP and no TYPE behind it`)
      if (metrics.has(helped)) throw new Error(`${helped} stands in two places`)
      metrics.set(helped, { help: unescaped(help), type, samples: [] })
      current = helped
      at += 1
      continue
    }
    const [, name, labels = '', value = ''] = SAMPLE.exec(line) ?? []
    if (name === undefined || !VALUE.test(value)) throw new Error(`no line of the format: ${line}`)
    const suffix = name.startsWith(current) ? name.slice(current.length) : null
    const isHistogram = metrics.get(current)?.type === 'histogram'
    if (suffix === null || !(isHistogram ? HISTOGRAM : /^$/).test(suffix))
      throw new Error(`${name} stands under ${current}`)
    const identity = line.slice(0, line.lastIndexOf(' '))
    if (series.has(identity)) throw new Error(`${identity} stands twice`)
    series.add(identity)
    const sample = { labels: labelsIn(labels), value: Number(value.replace('Inf', 'Infinity')) }
    metrics.get(current)?.samples.push(suffix === '' ? sample : { suffix, ...sample })
  }
  return metrics
}

function labelsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(new RegExp(LABEL, 'g'))].map(([pair]): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), unescaped(pair.slice(at + 2, -1))]
  })
  const labels = Object.fromEntries(pairs)
  if (Object.keys(labels).length !== pairs.length) throw new Error(`a label stands twice: ${text}`)
  return labels
}

const unescaped = (text: string): string =>
  text.replace(/\\(.)/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))
