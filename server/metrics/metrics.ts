import {
  BUCKETS,
  type CountedName,
  counted,
  type Declaration,
  type LabelValues,
  type ReadName,
  read,
  type TimedName,
  timed,
} from './declared.ts'
import { formatValue, type Metric, type Sample } from './exposition.ts'

/** Series by name. */
export type ReadValues = { readonly [Name in ReadName]?: readonly Sample[] }

type Source = () => ReadValues | Promise<ReadValues>

/** What a process has for itself, and what is the same in all workers of a start. */
export type Share = 'own' | 'shared'

/** The metrics of this process since its start, for Prometheus to sum over processes. */
export class Metrics {
  readonly #counts = mapNames(counted, (declaration) => new Family<Count>(declaration, () => ({ value: 0 })))
  readonly #times = mapNames(timed, (declaration) => new Family(declaration, () => new Histogram()))
  readonly #sources: Record<Share, Source[]> = { own: [], shared: [] }
  #gather = (): Promise<readonly Metric[]> => this.read()

  /** Counts an event. */
  add<Name extends CountedName>(name: Name, ...values: LabelValues<(typeof counted)[Name]['labels']>): void {
    this.#counts[name].series(...values).value += 1
  }

  /** Has the series of jobs present before their first attempt. */
  knowJobs(jobs: readonly string[]): void {
    for (const job of jobs)
      for (const outcome of ['ok', 'failed']) this.#counts.sluice_jobs_attempts_total.series(job, outcome)
  }

  /** Counts a duration. */
  time<Name extends TimedName>(
    name: Name,
    seconds: number,
    ...values: LabelValues<(typeof timed)[Name]['labels']>
  ): void {
    this.#times[name].series(...values).observe(seconds)
  }

  /** Calls `source` at each scrape, for what this process has for itself, or what is the same in all workers of a start. */
  readFrom(source: Source, share: Share = 'own'): void {
    this.#sources[share].push(source)
  }

  /** Has a scrape of this process answered by what `gather` returns, for all workers of a start. */
  gatherBy(gather: () => Promise<readonly Metric[]>): void {
    this.#gather = gather
  }

  /** Returns what a scrape shows, in the order of declaration. */
  scrape(): Promise<readonly Metric[]> {
    return this.#gather()
  }

  /** Returns every metric of this process, in the order of declaration. */
  async read(): Promise<readonly Metric[]> {
    return [...this.#counted(), ...toMetrics({ ...(await this.#ask('shared')), ...(await this.#ask('own')) })]
  }

  /** Returns them apart, for other workers' to be added to its own. */
  async readShare(share: Share): Promise<readonly Metric[]> {
    const values = toMetrics(await this.#ask(share)).filter(({ samples }) => samples.length > 0)
    return share === 'own' ? [...this.#counted(), ...values] : values
  }

  #counted(): Metric[] {
    return [
      ...Object.values(this.#times).map((family) => family.toMetric('histogram', (series) => series.samples())),
      ...Object.values(this.#counts).map((family) => family.toMetric('counter', ({ value }) => [{ value }])),
    ]
  }

  async #ask(share: Share): Promise<ReadValues> {
    return Object.assign({}, ...(await Promise.all(this.#sources[share].map((source) => source()))))
  }
}

const toMetrics = (found: ReadValues): Metric[] =>
  Object.entries(read).map(([name, { type, help }]) => ({
    ...{ name, type, help },
    samples: found[name as ReadName] ?? [],
  }))

interface Count {
  value: number
}

/** The series of one metric, by the values of its labels. */
class Family<Series> {
  readonly #name: string
  readonly #declaration: Declaration
  readonly #create: () => Series
  readonly #series = new Map<string, Map<string, Series>>()

  constructor({ name, ...declaration }: Declaration & { readonly name: string }, create: () => Series) {
    this.#name = name
    this.#declaration = declaration
    this.#create = create
    const [first = [''], second = ['']] = declaration.labels.map(([, values]) => values)
    for (const one of first ?? []) for (const other of second ?? ['']) this.series(one, other)
  }

  series(one = '', other = ''): Series {
    return this.#series.get(one)?.get(other) ?? this.#add(one, other)
  }

  #add(one: string, other: string): Series {
    const series = this.#create()
    const others = this.#series.get(one) ?? new Map<string, Series>()
    this.#series.set(one, others.set(other, series))
    return series
  }

  toMetric(type: Metric['type'], read: (series: Series) => readonly Sample[]): Metric {
    const names = this.#declaration.labels.map(([name]) => name)
    const samples = [...this.#series].flatMap(([one, others]) =>
      [...others].flatMap(([other, series]) => {
        const own = Object.fromEntries(names.map((name, at) => [name, at === 0 ? one : other]))
        return read(series).map(({ labels, ...sample }) => ({ ...sample, labels: { ...own, ...labels } }))
      }),
    )
    return { name: this.#name, type, help: this.#declaration.help, samples }
  }
}

class Histogram {
  /** Durations up to each bound, and above all of them; not added up. */
  readonly #counts = new Float64Array(BUCKETS.length + 1)
  #sum = 0

  observe(seconds: number): void {
    let at = 0
    while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at += 1
    this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += seconds
  }

  samples(): readonly Sample[] {
    let count = 0
    const buckets = [...BUCKETS, Number.POSITIVE_INFINITY].map((bound, at) => {
      count += this.#counts[at] ?? 0
      return { suffix: '_bucket', labels: { le: formatValue(bound) }, value: count }
    })
    return [...buckets, { suffix: '_sum', value: this.#sum }, { suffix: '_count', value: count }]
  }
}

function mapNames<Name extends string, Value>(
  declarations: Readonly<Record<Name, Declaration>>,
  create: (declaration: Declaration & { readonly name: string }) => Value,
): Record<Name, Value> {
  const entries = Object.entries<Declaration>(declarations)
  return Object.fromEntries(entries.map(([name, each]) => [name, create({ name, ...each })])) as Record<Name, Value>
}
