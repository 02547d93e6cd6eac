import { describeEqual } from '../../../testing/limits/equal-suite.ts'
import { sample } from '../../../testing/sampled.ts'

describeEqual(sample(10_000, 250))
