import { Box, List } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

/** A sign of this colour, on a light one. */
export const lightly = (color: string) => ({
  bg: `var(--mantine-color-${color}-light)`,
  c: `var(--mantine-color-${color}-light-color)`,
})

/** One line of a list of findings: what is right, or what is wrong. */
export function FindingItem({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const FindingIcon = isGood ? IconCheck : IconAlertTriangle
  return (
    <List.Item
      className="breakable"
      lh="sm"
      styles={{ itemWrapper: { alignItems: 'flex-start' } }}
      icon={
        <Box className="round" w={22} h={22} {...lightly(isGood ? 'teal' : 'red')}>
          <FindingIcon size={14} role="img" aria-label={isGood ? texts.common.good : texts.common.bad} />
        </Box>
      }
    >
      {children}
    </List.Item>
  )
}
