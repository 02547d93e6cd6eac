import { test } from './fixtures.ts'
import { testJourney } from './journey.ts'

test.describe('over the embedded defaults', () => testJourney(test, 0))
