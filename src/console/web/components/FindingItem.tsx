import { Box, List } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

/** A sign of this colour, on a light one. */
export const lightly = (color: string) => ({
  bg: `var(--mantine-color-${color}-light)`,
  c: `var(--mantine-color-${color}-light-color)`,
})

/** One line of a list of findings: what is right, or what is wrong. @param props.isWarning it does less harm */
export function FindingItem(props: { isGood: boolean; isWarning?: boolean; children: ReactNode }) {
  const { isGood, isWarning = false, children } = props
  const FindingIcon = isGood ? IconCheck : IconAlertTriangle
  return (
    <List.Item
      className="breakable"
      lh="sm"
      styles={{ itemWrapper: { alignItems: 'flex-start' } }}
      icon={
        <Box className="round" w={22} h={22} {...lightly(isGood ? 'teal' : isWarning ? 'yellow' : 'red')}>
          <FindingIcon size={14} role="img" aria-label={isGood ? texts.common.good : texts.common.bad} />
        </Box>
      }
    >
      {children}
    </List.Item>
  )
}
