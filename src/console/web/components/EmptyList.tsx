import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** In place of a list without rows: what is missing, and what to do next. */
export function EmptyList({ title, hint, action }: { title: string; hint?: string; action?: ReactNode }) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="sm" ta="center">
        <Title order={2} size="h3">
          {title}
        </Title>
        {hint && (
          <Text c="dimmed" maw={480}>
            {hint}
          </Text>
        )}
        {action}
      </Stack>
    </Paper>
  )
}
