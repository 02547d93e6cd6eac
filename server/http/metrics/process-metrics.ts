import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metric } from './exposition.ts'

/** Milliseconds between two looks at the event loop, which each delay that it measures includes. */
const RESOLUTION_MS = 20

/** Watches this process from now on; gives its metrics, under the names that Prometheus' own clients have for them. The lag
 *  of the event loop is that since it was last asked for. */
export function watchProcess(): () => readonly Metric[] {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const [median, most, longest] = [delay.percentile(50), delay.percentile(99), delay.max].map(lagOf)
    delay.reset()
    return [
      counter('process_cpu_seconds_total', 'CPU time of the process, in seconds.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory of the process, in bytes.', rss),
      gauge(
        'process_start_time_seconds',
        'When the process began, in seconds since 1970.',
        performance.timeOrigin / 1e3,
      ),
      gauge('nodejs_heap_size_used_bytes', 'Memory of JavaScript values, in bytes.', heapUsed),
      gauge('nodejs_eventloop_lag_p50_seconds', 'Median lag of the event loop, in seconds.', median),
      gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of that lag, in seconds.', most),
      gauge('nodejs_eventloop_lag_max_seconds', 'Longest such lag, in seconds.', longest),
    ]
  }
}

/** Seconds by which the loop came late, of nanoseconds between two looks. */
const lagOf = (delayNs: number): number => Math.max(0, delayNs / 1e9 - RESOLUTION_MS / 1e3)

const gauge = (name: string, help: string, value = 0): Metric => ({ name, help, type: 'gauge', samples: [{ value }] })

const counter = (name: string, help: string, value: number): Metric => ({
  ...gauge(name, help, value),
  type: 'counter',
})
