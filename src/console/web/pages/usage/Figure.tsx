import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is read first of a card, in pixels. */
const figureSize = 22

/** The number that a card is about. @param props.of what it counts, in small letters behind it */
export const Figure = ({ of, children }: { of: ReactNode; children: ReactNode }) => (
  <Text fz={figureSize} fw={650}>
    {children}{' '}
    <Text span size="sm" c="dimmed">
      {of}
    </Text>
  </Text>
)
