import type { ReactNode } from 'react'

/** A text in its own direction, so that it turns around nothing beside it; anything else as it is. */
export const Isolated = ({ children }: { children: ReactNode }) =>
  typeof children === 'string' ? <bdi>{children}</bdi> : children
