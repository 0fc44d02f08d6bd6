import { focusManager, QueryClient } from '@tanstack/react-query'
import { toFailure } from './failure.ts'

/** A page that is reopened within this time shows its old data, without a request. */
const freshMs = 5_000
const retriesMax = 2
/** While the gateway cannot be reached. Nobody has to press a button when it is back. */
export const againMs = 5_000

/** When to read again by itself what could not be read; never what was refused. */
export const againAfter = ({ state: { error } }: { readonly state: { readonly error: unknown } }) =>
  error !== null && toFailure(error).isTemporary ? againMs : false

// Two windows side by side are both visible: there only the focus shows that the user has switched.
focusManager.setEventListener(onFocus => {
  const tell = () => onFocus()
  window.addEventListener('visibilitychange', tell)
  window.addEventListener('focus', tell)
  return () => {
    window.removeEventListener('visibilitychange', tell)
    window.removeEventListener('focus', tell)
  }
})

/** Retries what may succeed later, and nothing that was refused. Changes are never retried automatically. */
export const createQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The gateway may be near although the browser is offline; and an error is shown, which a paused query has none
        // of.
        networkMode: 'always',
        // Changes of another tab are shown when the user comes back to this one.
        refetchOnWindowFocus: 'always',
        staleTime: freshMs,
        refetchInterval: againAfter,
        retry: (failures, thrown) => failures < retriesMax && toFailure(thrown).isTemporary,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
