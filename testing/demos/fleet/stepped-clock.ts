// Loaded before Sluice (node --import): the signal SIGUSR2 steps the process's date forwards, and the next one back again, as somebody
// does who sets the machine's clock. Timers and monotonic clocks go on as they do then.

const STEP_MS = 3 * 60_000

const now = Date.now.bind(Date)
let ahead = 0
Date.now = () => now() + ahead
globalThis.Date = new Proxy(Date, {
  construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [date.now()] : given, target),
})
process.on('SIGUSR2', () => {
  ahead = ahead === 0 ? STEP_MS : 0
})
