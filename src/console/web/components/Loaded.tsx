import { Center, Loader, Skeleton } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'
import { ErrorView } from './ErrorView.tsx'

/** While a whole page is loaded. */
export const PageLoading = () => (
  <Center h={240}>
    <Loader aria-label={texts.common.loading} />
  </Center>
)

interface Props<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  readonly children: (data: Data) => ReactNode
  /** Shown while it is loading. */
  readonly waiting?: ReactNode
  /**
   * Shown above the placeholder and the failure: the heading of a page whose data names it. The content begins with the
   * same heading, so that it stays in place and gets the focus once.
   */
  readonly heading?: ReactNode
}

/** Shows loaded data, or why it cannot be loaded. */
export function Loaded<Data>({
  query: { data, error, refetch },
  children,
  waiting = <PageLoading />,
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

/** The placeholder while loading. @param isNamed whether screen readers announce it */
export const Placeholder = ({ h, isNamed = true }: { h: number; isNamed?: boolean }) => (
  <Skeleton h={h} {...(isNamed && { role: 'status', 'aria-label': texts.common.loading })} />
)
