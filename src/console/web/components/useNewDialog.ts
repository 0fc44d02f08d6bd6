import { useSearchParams } from 'wouter'

/** In the address of a page: its form for something new is open, so that other places can lead to it. */
export const newParameter = 'new'

/** Whether the form for something new is open, as the address says; and a function that opens or closes it. */
export function useNewDialog(): [isOpen: boolean, setOpen: (isOpen: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const setOpen = (isOpen: boolean) =>
    setSearch(
      before => {
        const after = new URLSearchParams(before)
        if (isOpen) after.set(newParameter, '')
        else after.delete(newParameter)
        return after
      },
      { replace: true },
    )
  return [search.has(newParameter), setOpen]
}
