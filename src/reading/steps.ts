/** Records of a page of a list, whoever asks for it: it takes some milliseconds of the thread that sends. */
export const pageMax = 100
/** Unless the request says it. */
export const pageDefault = 50
/** Rows of a list that are read again by their ids, as they have changed: more cost as much as a page does. */
export const changedRowsMax = pageMax

/** Messages that one request sends again, side by side: it is answered once the last of them has an end, or waits. */
export const againAtOnceMax = 25

/** Rows that one step looks at: some three milliseconds in which nothing else is served. */
export const stepRows = 500
/** Rows that one request looks at. */
export const scanMax = 20_000

interface Step<Cursor> {
  readonly cursor: Cursor | undefined
  readonly limit: number
  readonly scan: number
}

interface Stepped<Row, Cursor> {
  readonly rows: readonly Row[]
  /** Null at the end. */
  readonly next: Cursor | null
}

/**
 * Takes steps of a search until a page is full, or the request has looked at enough: the next page goes on from there.
 * @param turn waits until a step may run
 * @param isLate whether it is time to answer with what was found
 */
export async function inSteps<Row, Cursor>(
  turn: () => Promise<void>,
  { cursor: from, limit }: Omit<Step<Cursor>, 'scan'>,
  take: (step: Step<Cursor>) => Promise<Stepped<Row, Cursor>>,
  isLate: () => boolean = () => false,
): Promise<Stepped<Row, Cursor>> {
  const found: Row[] = []
  let cursor = from
  for (let scanned = 0; scanned < scanMax; scanned += stepRows) {
    await turn()
    const { rows, next } = await take({ cursor, limit: limit - found.length, scan: stepRows })
    found.push(...rows)
    cursor = next ?? undefined
    if (cursor === undefined || found.length >= limit || isLate()) break
  }
  return { rows: found, next: cursor ?? null }
}
