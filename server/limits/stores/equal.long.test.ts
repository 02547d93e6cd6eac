import { describeEqual } from '../../../testing/limits/equal-suite.ts'

describeEqual(10_000)
