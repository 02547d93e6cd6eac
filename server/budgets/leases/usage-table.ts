/** Rows kept in memory; beyond that, usage is added to OTHERS. */
const MAX_ROWS = 5_000

/** Rows by day, procedure and name, in nested maps: for each call of the byte route, building a joined key would cost
 *  several times as much as three lookups. Nearly every call is of the day and procedure of the one before. */
export class UsageTable<Row> {
  readonly rows: Row[] = []
  readonly #days = new Map<string, Map<string, Map<string, Row>>>()
  #last: { day: string; procedure: string; names: Map<string, Row> } = { day: '', procedure: '', names: new Map() }

  get isFull(): boolean {
    return this.rows.length >= MAX_ROWS
  }

  get(day: string, procedure: string, name: string): Row | undefined {
    return this.#names(day, procedure).get(name)
  }

  add(day: string, procedure: string, name: string, row: Row): Row {
    this.#names(day, procedure).set(name, row)
    this.rows.push(row)
    return row
  }

  #names(day: string, procedure: string): Map<string, Row> {
    const last = this.#last
    if (last.day === day && last.procedure === procedure) return last.names
    const procedures = this.#days.get(day) ?? new Map<string, Map<string, Row>>()
    const names = procedures.get(procedure) ?? new Map<string, Row>()
    this.#days.set(day, procedures.set(procedure, names))
    this.#last = { day, procedure, names }
    return names
  }
}
