/** A chart of a month by day. */
export const dayChart = {
  chart: 'Daily values, peak {amount}',
  day: 'Day',
  none: 'Nothing this month.',
  noneYet: 'Nothing yet.',
  peak: 'Peak: {amount} per day',
  peakLevel: 'Peak: {amount}',
  series: {
    cost: 'Cost',
    reads: 'Reads',
    writes: 'Writes and lists',
    deletes: 'Deletes',
    bytesIn: 'Data in',
    bytesOut: 'Data out',
    served: 'Data served',
    stored: 'Stored data',
  },
  table: 'Show as table',
  utc: 'Days are in UTC.',
} as const
