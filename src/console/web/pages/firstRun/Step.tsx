import { Group, Paper, Stack, ThemeIcon, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Hint } from '../../components/Hint.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { texts } from '../../texts/texts.ts'

const words = texts.firstRun
const badges = {
  done: { tone: 'good', text: words.done },
  next: { tone: 'busy', text: words.next },
  later: { tone: 'quiet', text: words.later },
} as const

/** One step. What has to be done is shown until it is done. */
export function Step(props: {
  number: number
  state: 'done' | 'next' | 'later'
  title: string
  hint: string
  children?: ReactNode
}) {
  const { number, state, title, hint, children } = props
  const { tone, text } = badges[state]
  return (
    <Paper component="li" withBorder p="md" {...(state === 'next' && { 'aria-current': 'step' as const })}>
      <Group align="flex-start" wrap="nowrap">
        <ThemeIcon radius="xl" size={32} variant={state === 'later' ? 'default' : 'filled'} aria-hidden>
          {state === 'done' ? <IconCheck size={18} /> : number}
        </ThemeIcon>
        <Stack gap={6} flex={1} miw={0}>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h3">
              {title}
            </Title>
            <StatusBadge tone={tone}>{text}</StatusBadge>
          </Group>
          <Hint>{hint}</Hint>
          {children}
        </Stack>
      </Group>
    </Paper>
  )
}
