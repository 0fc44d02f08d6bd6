import type { CsvItem } from '../../../../batches/csvItems.ts'
import { type CsvMapping, proposeMapping } from '../../../../batches/csvMapping.ts'
import type { CsvTable } from '../../../../batches/csvTable.ts'
import { itemsAtOnceMax } from '../../../../message/batches.ts'
import { answerOf } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'
import { request } from '../../api/request.ts'
import type { Routes } from '../../app/workspaceData.ts'

/** What is known of each. */
const columns = ['phone', 'name', 'contact id'] as const

/** Its rows are people that somebody chose, who knows of no table. */
export const isOfContacts = ({ header }: CsvTable): boolean => header === columns

/** @returns which column fills what, as far as it is known. A contact without a number is written to by its id */
export function usualMapping(table: CsvTable, keys: readonly string[]): CsvMapping {
  const proposed = proposeMapping(table.header, keys)
  return isOfContacts(table) ? { ...proposed, fields: { phone: 0, contactId: 2 } } : proposed
}

/**
 * Contacts as a table: so both ways to people go on alike.
 * @param which so many days, within which they wrote; or `all`, or `never`: those who never did
 */
export async function tableOfContacts(routes: Routes, which: string, withoutOptOuts: boolean): Promise<CsvTable> {
  const found: Person[] = []
  const asked = which === 'all' ? {} : which === 'never' ? { never: 'true' as const } : { days: Number(which) }
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = { ...asked, ...(cursor !== undefined && { cursor }) }
    const { people, next }: { people: readonly Person[]; next: string | null } = await answerOf(
      routes['campaign-people'].get({ query }),
    )
    found.push(...people)
    cursor = next
  }
  // What the first will see is shown: who may get nothing comes last.
  const wanting = found.filter(({ noMarketing }) => !noMarketing)
  const chosen = withoutOptOuts ? wanting : [...wanting, ...found.filter(({ noMarketing }) => noMarketing)]
  const rows = chosen.map(({ id, phone, name }, at) => ({
    ...{ row: at + 1, cells: [phone ?? '', name ?? '', id], quotes: null },
  }))
  return { header: columns, rows }
}
interface Person {
  readonly id: string
  readonly phone: string | null
  readonly name: string | null
  readonly noMarketing: boolean
}

interface NewCampaign {
  readonly name: string
  readonly defaults: object
  readonly items: readonly CsvItem[]
  /** The same campaign is made once, however often it is tried. */
  readonly idempotencyKey: string
}

/**
 * Makes a draft of all items, some at a time: the gateway finds again what it has.
 * @param onKept told after each step
 * @returns its id
 * @throws ApiFailure; of an item that the gateway does not take, with its row
 */
export async function keepCampaign(
  workspaceId: string,
  { items, name, ...others }: NewCampaign,
  onKept: (count: number) => void,
): Promise<string> {
  const post = async (path: string, from: number, body: object) => {
    const part = items.slice(from, from + itemsAtOnceMax)
    try {
      const answer = await request(`/api/v1/workspaces/${workspaceId}/campaigns${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, items: part.map(({ item }) => item) }),
      })
      onKept(from + part.length)
      return (await answer.json()) as { id: string }
    } catch (thrown) {
      throw withRow(thrown, part)
    }
  }
  const { id } = await post('', 0, { ...others, ...(name !== '' && { name }) })
  for (let offset = itemsAtOnceMax; offset < items.length; offset += itemsAtOnceMax)
    await post(`/${id}/items`, offset, { offset })
  return id
}

/** The gateway names the place among those that it was given. */
function withRow(thrown: unknown, part: readonly CsvItem[]): unknown {
  const failure = toFailure(thrown)
  const [issue] = failure.issues
  const [, at, field = ''] = /^\/items\/(\d+)\/?(.*)$/.exec(issue?.path ?? '') ?? []
  const row = at === undefined ? undefined : part[Number(at)]?.row
  if (row !== undefined) failure.message = `${row}: ${field} ${issue?.message ?? ''}`
  return failure
}
