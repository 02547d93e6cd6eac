import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metric } from './exposition.ts'

/** The sampling interval of the event loop, which is part of every measured delay. */
const RESOLUTION_MS = 20

/** Starts measuring this process; the returned function gives its metrics under the names of Prometheus' own clients. The lag of
 *  the event loop covers the time since its last call. */
export function watchProcess(): () => readonly Metric[] {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return () => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max].map(toLag)
    delay.reset()
    return [
      counter('process_cpu_seconds_total', 'CPU time of the process, in seconds.', (user + system) / 1e6),
      gauge('process_resident_memory_bytes', 'Resident memory of the process, in bytes.', rss),
      gauge(
        'process_start_time_seconds',
        'Start time of the process, in seconds since 1970.',
        performance.timeOrigin / 1e3,
      ),
      gauge('nodejs_heap_size_used_bytes', 'Used size of the JavaScript heap, in bytes.', heapUsed),
      gauge('nodejs_eventloop_lag_p50_seconds', 'Median lag of the event loop, in seconds.', p50),
      gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the lag of the event loop, in seconds.', p99),
      gauge('nodejs_eventloop_lag_max_seconds', 'Longest lag of the event loop, in seconds.', max),
    ]
  }
}

/** Converts nanoseconds between two samples to seconds of lag. */
const toLag = (delayNs: number): number => Math.max(0, delayNs / 1e9 - RESOLUTION_MS / 1e3)

const gauge = (name: string, help: string, value = 0): Metric => ({ name, help, type: 'gauge', samples: [{ value }] })

const counter = (name: string, help: string, value: number): Metric => ({
  ...gauge(name, help, value),
  type: 'counter',
})
