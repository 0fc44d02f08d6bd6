import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** A small secondary text: an explanation, or that there is nothing. */
export const Hint = ({ children }: { children: ReactNode }) => (
  <Text size="sm" c="dimmed">
    {children}
  </Text>
)
