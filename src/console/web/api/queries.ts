import { focusManager, QueryClient } from '@tanstack/react-query'
import { toFailure } from './failure.ts'

/** A page that is opened again within this time shows what it had, without asking. */
const freshMs = 5_000
const retriesMax = 2

// Of two windows beside each other both are visible: there only the focus tells that somebody came.
focusManager.setEventListener(onFocus => {
  const tell = () => onFocus()
  window.addEventListener('visibilitychange', tell)
  window.addEventListener('focus', tell)
  return () => {
    window.removeEventListener('visibilitychange', tell)
    window.removeEventListener('focus', tell)
  }
})

/** Repeats what may succeed later, and nothing that was refused. Changes are never repeated by themselves. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The gateway may be near although the browser is offline; and an error is shown, which a paused query has none
        // of.
        networkMode: 'always',
        // What another tab has changed is there when somebody comes back to this one.
        refetchOnWindowFocus: 'always',
        staleTime: freshMs,
        retry: (failures, thrown) => failures < retriesMax && toFailure(thrown).isTemporary,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
