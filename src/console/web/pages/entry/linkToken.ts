import { useState } from 'react'

/** Stays when the page is left to sign in, and ends with the tab's document. */
let kept = ''

/** @returns the secret of the link, which is behind the `#`: no server and no proxy gets it with the address. */
export function useLinkToken(): string {
  const [token] = useState(() => {
    kept = location.hash.slice(1) || kept
    return kept
  })
  return token
}
