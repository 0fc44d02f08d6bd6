import { eq, type SQL, sql } from 'drizzle-orm'
import type { MessageFilter } from '../records.ts'
import type { Tables } from '../schema/tables.ts'

/** The condition of each field of a filter: a field without one is a type error. */
export type FiltersOf<Filter> = {
  readonly [Field in keyof Filter]-?: (value: NonNullable<Filter[Field]>) => SQL | undefined
}

/** @returns the conditions of the fields that a filter has */
export const conditionsOf = <Filter extends object>(
  filters: FiltersOf<Filter>,
  filter: { readonly [Field in keyof Filter]?: Filter[Field] | undefined },
) =>
  Object.entries<(value: never) => SQL | undefined>(filters).map(([field, condition]) => {
    const value = filter[field as keyof Filter]
    return value === undefined ? undefined : condition(value as never)
  })

/** What lists of messages are filtered by besides their status, which has indexes of its own. */
export const messageFilters = ({ messages }: Tables): FiltersOf<Omit<MessageFilter, 'status'>> => ({
  recipient: recipient => eq(messages.recipient, recipient),
  lineId: id => sql`${messages.lineSeq} = (SELECT seq FROM lines WHERE id = ${id})`,
  apiKeyId: id => sql`${messages.apiKeySeq} = (SELECT seq FROM api_keys WHERE id = ${id})`,
  type: type => eq(messages.type, type),
  templateName: name => eq(messages.templateName, name),
})
