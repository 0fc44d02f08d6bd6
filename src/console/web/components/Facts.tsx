import type { ReactNode } from 'react'
import { Isolated } from './Isolated.tsx'

/** Names and values of one record. What it does not have, null, has no line. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Isolated>{value}</Isolated>
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}
