import { Group, Paper, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'

/** A part of a page with a heading of its own. */
export function Section(props: { title: string; hint?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  const { title, hint, actions, children } = props
  const id = useId()
  return (
    <Paper component="section" aria-labelledby={id} withBorder p="md" mb="lg">
      <Group justify="space-between" align="flex-start" mb="sm" gap="xs">
        <div style={{ flex: '1 1 14rem' }}>
          <Title order={2} id={id} size="h3">
            {title}
          </Title>
          {hint && (
            <Text size="sm" c="dimmed" component="div">
              {hint}
            </Text>
          )}
        </div>
        {actions}
      </Group>
      {children}
    </Paper>
  )
}
