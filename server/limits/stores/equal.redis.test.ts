import { describeEqual } from '../../../testing/limits/equal-suite.ts'

// Others each time; equal.long.test.ts takes five times as many.
describeEqual(2_000)
