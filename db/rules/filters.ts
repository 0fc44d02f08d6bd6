import type { SQL } from 'drizzle-orm'

/** The condition of each field of a filter: a field without one is a type error. */
export type FiltersOf<Filter> = {
  readonly [Field in keyof Filter]-?: (value: NonNullable<Filter[Field]>) => SQL | undefined
}

/** @returns the conditions of the fields that a filter has */
export const filterConditions = <Filter extends object>(
  filters: FiltersOf<Filter>,
  filter: { readonly [Field in keyof Filter]?: Filter[Field] | undefined },
) =>
  Object.entries<(value: never) => SQL | undefined>(filters).map(([field, condition]) => {
    const value = filter[field as keyof Filter]
    return value === undefined ? undefined : condition(value as never)
  })
