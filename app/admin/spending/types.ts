import type { Outputs } from '#app/connection/trpc.ts'

export type BudgetOverview = Outputs['budget']['overview']
export type BudgetItem = BudgetOverview['budgets'][number]
export type Day = BudgetOverview['days'][number]
export type Prices = BudgetOverview['prices']
export type Period = BudgetItem['period']
export type BudgetUnit = BudgetItem['unit']
export type Bill = NonNullable<BudgetOverview['bill']>['soFar']
export type BillLine = Bill['lines'][number]
