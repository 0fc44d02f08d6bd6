import { useFilters } from './useFilters.ts'

/** In the address of a page: its form for something new is open, so that other places can lead to it. */
export const newParameter = 'new'

/** Whether the form for something new is open, as the address says; and a function that opens or closes it. */
export function useNewDialog(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [filters, change] = useFilters({ [newParameter]: '' })
  return [filters[newParameter] !== '', isOpen => change({ [newParameter]: isOpen ? 'open' : '' })]
}
