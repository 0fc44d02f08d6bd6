import { useSearchParams } from 'wouter'

/**
 * Filters in the address, so that a filtered list can be linked to and survives a reload.
 * @param defaults every filter with the value that it has when the address does not name it
 * @returns the filters; a function that changes some; whether any differs from its default
 */
export function useFilters<Filters extends Readonly<Record<string, string>>>(
  defaults: Filters,
): [
  filters: { [Name in keyof Filters]: string },
  change: (next: Partial<Record<keyof Filters, string>>) => void,
  isFiltered: boolean,
] {
  const [search, setSearch] = useSearchParams()
  const names: (keyof Filters & string)[] = Object.keys(defaults)
  const given = Object.fromEntries(names.map(name => [name, search.get(name) ?? defaults[name]]))
  const filters = given as { [Name in keyof Filters]: string }
  const change = (next: Partial<Record<keyof Filters, string>>) =>
    setSearch(
      before => {
        const after = new URLSearchParams(before)
        for (const name of names) {
          const value = next[name]
          if (value === undefined) continue
          if (value === '' || value === defaults[name]) after.delete(name)
          else after.set(name, value)
        }
        return after
      },
      { replace: true },
    )
  return [filters, change, names.some(name => filters[name] !== defaults[name])]
}

/** In the address of a page: its form for something new is open, so that other places can lead to it. */
export const newParameter = 'new'

/** Whether the form for something new is open, as the address says; and a function that opens or closes it. */
export function useNewDialog(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [filters, change] = useFilters({ [newParameter]: '' })
  return [filters[newParameter] !== '', isOpen => change({ [newParameter]: isOpen ? 'open' : '' })]
}
