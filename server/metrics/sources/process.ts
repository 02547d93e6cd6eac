import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ReadValues } from '../metrics.ts'

/** The sampling interval of the event loop, which is part of every measured delay. */
const RESOLUTION_MS = 20

/** Starts measuring this process; `read` gives its metrics under the names of Prometheus' own clients. The lag of
 *  the event loop covers the time since its last call. */
export function watchProcess(): Disposable & { read(): ReadValues } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  const read = (): ReadValues => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed } = process.memoryUsage()
    const [p50 = 0, p99 = 0, max = 0] = [delay.percentile(50), delay.percentile(99), delay.max].map(toLag)
    delay.reset()
    return {
      process_cpu_seconds_total: [{ value: (user + system) / 1e6 }],
      process_resident_memory_bytes: [{ value: rss }],
      process_start_time_seconds: [{ value: performance.timeOrigin / 1e3 }],
      nodejs_heap_size_used_bytes: [{ value: heapUsed }],
      nodejs_eventloop_lag_p50_seconds: [{ value: p50 }],
      nodejs_eventloop_lag_p99_seconds: [{ value: p99 }],
      nodejs_eventloop_lag_max_seconds: [{ value: max }],
    }
  }
  return { read, [Symbol.dispose]: () => void delay.disable() }
}

/** Converts nanoseconds between two samples to seconds of lag. */
const toLag = (delayNs: number): number => Math.max(0, delayNs / 1e9 - RESOLUTION_MS / 1e3)
