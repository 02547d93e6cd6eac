import type { Counted, Counters } from '#server/counters.ts'
import type { Metric } from './exposition.ts'

const metrics: readonly {
  readonly kind: Counted
  readonly name: string
  readonly label: string
  readonly help: string
}[] = [
  { kind: 'reports', name: 'sluice_reports_total', label: 'reason', help: 'Reports of images, by their reason.' },
  {
    kind: 'decidedReports',
    name: 'sluice_reports_decided_total',
    label: 'decision',
    help: 'Reported images about which an admin has decided, by the decision.',
  },
  {
    kind: 'guestUploads',
    name: 'sluice_guest_uploads_total',
    label: 'outcome',
    help: 'Uploads of guests: stored, refused by more than a limit, approved, rejected.',
  },
]

/** Returns the counts of this process's events, for Prometheus to sum over processes. */
export const eventMetrics = (counters: Pick<Counters, 'read'>): readonly Metric[] =>
  metrics.map(({ kind, name, label, help }) => ({
    name,
    help,
    type: 'counter',
    samples: [...counters.read(kind)].map(([value, count]) => ({ labels: { [label]: value }, value: count })),
  }))
