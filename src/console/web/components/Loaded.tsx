import { Center, Loader, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'
import { ErrorView } from './ErrorView.tsx'

/** While a whole page is loaded. */
export const Waiting = () => (
  <Center h={240}>
    <Loader aria-label={texts.common.loading} />
  </Center>
)

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  readonly children: (data: Data) => ReactNode
  /** Stands there while it is loaded. */
  readonly waiting?: ReactNode
  /**
   * Stands over the waiting and the failure: the heading of a page whose data names it. What is drawn then begins with
   * the heading too, so that it stays the same one and gets the focus once.
   */
  readonly heading?: ReactNode
}

/** What was read, once it is there; or why it cannot be read. */
export function Loaded<Data>({
  query: { data, error, refetch },
  children,
  waiting = <Waiting />,
  heading,
}: Props<Data>) {
  if (data !== undefined) return children(data)
  return (
    <>
      {heading}
      {error ? <ErrorView error={error} onRetry={() => void refetch()} /> : waiting}
    </>
  )
}

/** The place of what is loaded. @param isNamed whether screen readers are told */
export const Placeholder = ({ h, isNamed = true }: { h: number; isNamed?: boolean }) => (
  <Skeleton h={h} {...(isNamed && { role: 'status', 'aria-label': texts.common.loading })} />
)
