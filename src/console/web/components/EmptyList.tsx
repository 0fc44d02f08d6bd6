import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/**
 * In place of a list without rows: what is missing, and what to do next.
 * @param level of its heading; 1 where it is the whole page
 */
export function EmptyList(props: { title: string; hint?: string; action?: ReactNode; level?: 1 | 2 }) {
  const { title, hint, action, level = 2 } = props
  return (
    <Paper className="empty-list" withBorder={level === 2} {...(level === 1 && { pt: '15vh' })}>
      <Stack align="center" gap="sm" ta="center">
        <Title order={level} size={level === 1 ? 'h2' : 'h3'}>
          {title}
        </Title>
        {hint && (
          <Text size="sm" c="dimmed" maw={480}>
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  )
}
