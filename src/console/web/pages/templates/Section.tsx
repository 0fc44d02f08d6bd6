import { Paper, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page under its own heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  )
}
