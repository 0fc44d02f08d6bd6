import { List, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { texts } from '../texts/texts.ts'

/** One line of a list of findings: what is right, or what is wrong. */
export function FindingItem({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  const FindingIcon = isGood ? IconCheck : IconAlertTriangle
  return (
    <List.Item
      className="breakable"
      lh="sm"
      styles={{ itemWrapper: { alignItems: 'flex-start' } }}
      icon={
        <ThemeIcon size={22} radius="xl" color={isGood ? 'teal' : 'red'} variant="light">
          <FindingIcon size={14} role="img" aria-label={isGood ? texts.common.good : texts.common.bad} />
        </ThemeIcon>
      }
    >
      {children}
    </List.Item>
  )
}
