import { formatCount } from '#app/ui/format.ts'
import { trafficOf } from './traffic.ts'
import type { ProcedureItem, Stats } from './types.ts'

interface Props {
  procedures: readonly ProcedureItem[]
  labels: Stats['labels']
}

/** Every procedure and route with the rule sets that it is charged to; last those without, and why. */
export function Procedures({ procedures, labels }: Props) {
  const limited = procedures.filter(({ ruleSets }) => ruleSets.length > 0)
  const free = procedures.filter(({ ruleSets }) => ruleSets.length === 0)
  const series = new Map(labels.map((label) => [label.label, label]))
  return (
    <section aria-labelledby="procedures" className="mt-10">
      <h2 id="procedures" className="mb-3 text-lg font-semibold">
        Procedures and routes
      </h2>
      <ul aria-label="Procedures and routes" className="divide-y divide-line rounded-lg border border-line bg-surface">
        {limited.map((procedure) => (
          <ProcedureLine key={procedure.path} procedure={procedure} label={series.get(procedure.path)} />
        ))}
      </ul>
      {free.length === 0 ? (
        <p className="mt-2 text-sm text-ink-soft">None is without limits.</p>
      ) : (
        <>
          <h3 className="mt-6 mb-2 text-sm font-semibold">Without limits, and why</h3>
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
            {free.map(({ path, kind, reason }) => (
              <li key={path} className="grid gap-x-4 px-4 py-2.5 md:grid-cols-[16rem_minmax(0,1fr)]">
                <span>
                  <span className="font-medium break-all">{path}</span> <span className="text-ink-soft">{kind}</span>
                </span>
                <span className="text-ink-soft">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function ProcedureLine({ procedure, label }: { procedure: ProcedureItem; label: Stats['labels'][number] | undefined }) {
  const { path, kind, ruleSets, reason } = procedure
  const { passedInAll, refusedInAll } = trafficOf(label ? [label] : [])
  return (
    <li className="grid items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5 text-sm md:grid-cols-[16rem_minmax(0,1fr)_11rem]">
      <p>
        <span className="font-medium break-all">{path}</span> <span className="text-ink-soft">{kind}</span>
        {reason && <span className="block text-ink-soft">{reason}</span>}
      </p>
      <p className="flex flex-wrap gap-x-2">
        {ruleSets.map((name) => (
          <a key={name} href={`#set-${name}`} className="rounded-sm text-water hover:underline">
            {name}
          </a>
        ))}
      </p>
      <p className="figures text-ink-soft empty:hidden md:text-right">
        {passedInAll + refusedInAll > 0 && `${formatCount(passedInAll)} passed`}
        {refusedInAll > 0 && <span className="text-gate">, {formatCount(refusedInAll)} refused</span>}
      </p>
    </li>
  )
}
