import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, type RouteAnswer } from '../../api/client.ts'
import { toFailure } from '../../api/failure.ts'

/** Stays when the page is left to sign in, and ends with the tab's document. */
let kept = ''

/** @returns the secret of the link, which is after the `#`: no server and no proxy gets it with the address. */
function useLinkToken(): string {
  const [token] = useState(() => {
    kept = location.hash.slice(1) || kept
    return kept
  })
  return token
}

/** What the page's link gives access to. @param check asks the gateway, which answers 404 for an invalid link */
export function useLink<Data>(kind: string, check: (body: { token: string }) => Promise<RouteAnswer<Data>>) {
  const token = useLinkToken()
  const link = useQuery({
    queryKey: [kind, token],
    queryFn: () => answerOf(check({ token })),
    enabled: token !== '',
  })
  return { token, link, isGone: token === '' || (link.error !== null && toFailure(link.error).status === 404) }
}
